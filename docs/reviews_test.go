package docs_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	classConst   = regexp.MustCompile(`\b(Class\w+)\s+Class = "([^"]+)"`)
	failureValue = regexp.MustCompile(`Failure\{\s*Class:\s*(?:reviewer\.)?(Class\w+),\s*Code:\s*"([^"]+)"`)
	// inconsistent is auto's short form for the failures of one class.
	failureCall = regexp.MustCompile(`\binconsistent\("([^"]+)"\)`)
)

// failureCodes are the codes of a review's failures that the program writes, each
// with its class.
func failureCodes(all []source) map[string]string {
	classes := make(map[string]string)
	for _, s := range all {
		if s.dir() == "reviewer" && !s.isTest() {
			for _, match := range classConst.FindAllStringSubmatch(s.text, -1) {
				classes[match[1]] = match[2]
			}
		}
	}
	codes := make(map[string]string)
	for _, s := range all {
		if s.isTest() {
			continue
		}
		for _, match := range failureValue.FindAllStringSubmatch(s.text, -1) {
			codes[match[2]] = classes[match[1]]
		}
		for _, match := range failureCall.FindAllStringSubmatch(s.text, -1) {
			codes[match[1]] = classes["ClassInconsistent"]
		}
	}
	return codes
}

// checkFailures holds the listed codes against those in the code.
func checkFailures(listed [][]string, codes map[string]string) []string {
	var wrong []string
	known := make(map[string]bool)
	for _, cells := range listed {
		class := strings.Trim(cells[1], "`")
		for _, code := range words(cells[0]) {
			switch {
			case known[code]:
				wrong = append(wrong, code+" is listed twice")
			case codes[code] == "":
				wrong = append(wrong, code+" is listed and no failure has it")
			case codes[code] != class:
				wrong = append(wrong, fmt.Sprintf("%s is of the class %s, reviews.md says %s", code, codes[code], class))
			}
			known[code] = true
		}
	}
	for _, code := range slices.Sorted(maps.Keys(codes)) {
		if !known[code] {
			wrong = append(wrong, code+" is a failure's code and not listed in reviews.md")
		}
	}
	return wrong
}

func TestEveryFailureIsListed(t *testing.T) {
	listed := mustTable(t, document(t, "docs/reviews.md"), "code", "class", "what happened")
	report(t, checkFailures(listed, failureCodes(sources(t))))
}

func TestFailureChecksComplain(t *testing.T) {
	file := func(name, text string) source { return example(t, name, "package p\n"+text) }
	codes := failureCodes([]source{
		file("reviewer/failure.go", "type Class string\nconst (\n\tClassA Class = \"a\"\n\tClassInconsistent Class = \"odd\"\n)\nvar one = &Failure{Class: ClassA, Code: \"ONE\"}"),
		file("x/x.go", "var two = &reviewer.Failure{\n\tClass: reviewer.ClassA, Code: \"TWO\",\n}\nvar three = inconsistent(\"THREE\")\nvar four = &reviewer.Failure{Class: reviewer.ClassA, Code: \"FOUR\"}"),
		file("x/x_test.go", "var five = &reviewer.Failure{Class: reviewer.ClassA, Code: \"FIVE\"}"),
	})
	wantComplaints(t, checkFailures([][]string{{"`ONE`, `TWO`", "`a`", ""}, {"`ONE`", "`a`", ""}, {"`THREE`", "`a`", ""}, {"`NONE`", "`a`", ""}}, codes),
		"ONE is listed twice", "THREE is of the class odd", "NONE is listed", "FOUR is a failure's code")
}
