package tools_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAProgramPrintsCallsAndReturns(t *testing.T) {
	g := &gateDouble{}
	got := runCode(t, g, `
		console.log("a", 1, {b: [2]});
		const text = await tools.read({path: "x"});
		return JSON.parse(text).path;`)
	want(t, got, "", "a 1 {\n  \"b\": [\n    2\n  ]\n}\nx")
	if diff := cmp.Diff([]string{`start 1 read {"path":"x"}`, "settle 1"}, g.notes()); diff != "" {
		t.Errorf("on the record (-want +got):\n%s", diff)
	}
}
