package docs_test

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// checkPackageComment wants exactly one package comment among the files of a
// folder, with the beginning that go doc expects.
func checkPackageComment(dir string, files []source) []string {
	var docs []string
	for _, s := range files {
		if s.file.Doc != nil {
			docs = append(docs, s.file.Doc.Text())
		}
	}
	if len(docs) != 1 {
		return []string{fmt.Sprintf("%s has %d package comments, want 1", dir, len(docs))}
	}
	name := files[0].file.Name.Name
	starts := []string{"Package " + name + " "}
	if name == "main" {
		starts = []string{"Command ", "Engine "}
	}
	if !slices.ContainsFunc(starts, func(start string) bool { return strings.HasPrefix(docs[0], start) }) {
		return []string{fmt.Sprintf("%s: the package comment must begin with one of %q", dir, starts)}
	}
	return nil
}

// inherited are methods whose meaning is that of a well-known interface.
var inherited = []string{
	"Error", "Unwrap", "String", "Len", "Less", "Swap",
	"MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText", "LogValue",
}

// checkDocumented wants a comment on every exported identifier of a package.
// A method that implements an interface of the same package is described there.
func checkDocumented(files []source) []string {
	known := slices.Clone(inherited)
	for _, s := range files {
		ast.Inspect(s.file, func(n ast.Node) bool {
			if it, ok := n.(*ast.InterfaceType); ok {
				known = append(known, documentedMethods(it)...)
			}
			return true
		})
	}
	var wrong []string
	for _, s := range files {
		for _, id := range undocumented(s, known) {
			wrong = append(wrong, fmt.Sprintf("%s: %s is exported and not documented", s.at(id), id.Name))
		}
	}
	return wrong
}

func documentedMethods(it *ast.InterfaceType) []string {
	var names []string
	for _, method := range it.Methods.List {
		if method.Doc == nil && method.Comment == nil {
			continue
		}
		for _, id := range method.Names {
			names = append(names, id.Name)
		}
	}
	return names
}

func undocumented(s source, known []string) []*ast.Ident {
	var found []*ast.Ident
	for _, decl := range s.file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			method := decl.Recv != nil
			hidden := method && !ast.IsExported(receiver(decl)) || method && slices.Contains(known, decl.Name.Name)
			if decl.Name.IsExported() && decl.Doc == nil && !hidden {
				found = append(found, decl.Name)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				found = append(found, undocumentedSpec(decl, spec)...)
			}
		}
	}
	return found
}

func undocumentedSpec(decl *ast.GenDecl, spec ast.Spec) []*ast.Ident {
	var found []*ast.Ident
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		if spec.Name.IsExported() && decl.Doc == nil && spec.Doc == nil {
			found = append(found, spec.Name)
		}
		if it, ok := spec.Type.(*ast.InterfaceType); ok && spec.Name.IsExported() {
			found = append(found, undocumentedMethods(it)...)
		}
	case *ast.ValueSpec:
		for _, id := range spec.Names {
			if id.IsExported() && decl.Doc == nil && spec.Doc == nil && spec.Comment == nil {
				found = append(found, id)
			}
		}
	}
	return found
}

func undocumentedMethods(it *ast.InterfaceType) []*ast.Ident {
	var found []*ast.Ident
	for _, method := range it.Methods.List {
		for _, id := range method.Names {
			if id.IsExported() && method.Doc == nil && method.Comment == nil {
				found = append(found, id)
			}
		}
	}
	return found
}

// receiver is the name of the type that a method belongs to.
func receiver(fn *ast.FuncDecl) string {
	e := fn.Recv.List[0].Type
	for {
		switch typ := e.(type) {
		case *ast.StarExpr:
			e = typ.X
		case *ast.IndexExpr:
			e = typ.X
		case *ast.IndexListExpr:
			e = typ.X
		case *ast.Ident:
			return typ.Name
		default:
			return ""
		}
	}
}

func TestEveryPackageHasOneComment(t *testing.T) {
	for dir, files := range packages(sources(t)) {
		report(t, checkPackageComment(dir, files))
	}
}

func TestEveryExportedIdentifierIsDocumented(t *testing.T) {
	for _, files := range packages(sources(t)) {
		report(t, checkDocumented(files))
	}
}

func TestPackageCommentCheckComplains(t *testing.T) {
	good, bad := "// Package p is one.\npackage p\n", "// This is p.\npackage p\n"
	one := func(text string) source { return example(t, "p/a.go", text) }
	wantComplaints(t, checkPackageComment("p", []source{one(good), one("package p\n")}))
	wantComplaints(t, checkPackageComment("p", []source{one(good), one(good)}), "2 package comments")
	wantComplaints(t, checkPackageComment("p", []source{one("package p\n")}), "0 package comments")
	wantComplaints(t, checkPackageComment("p", []source{one(bad)}), "must begin with")
	wantComplaints(t, checkPackageComment("p", []source{one("// Package main is.\npackage main\n")}), "must begin with")
	wantComplaints(t, checkPackageComment("p", []source{one("// Command p is one.\npackage main\n")}))
}

func TestDocumentedCheckComplains(t *testing.T) {
	text := `package p

type Bare struct{}

// Shape is documented.
type Shape interface {
	Area() int // in square metres
	Edge() int
}

func (*Bare) Area() int      { return 0 }
func (Bare) Error() string   { return "" }
func (Bare) Method()         {}
func (hidden[T]) Method()    {}
func Func()                  {}
func internal()              {}

type hidden[T any] struct{}

// One comment is enough for a group.
const (
	A = 1
	B = 2
)

var (
	C = 1
	D = 2 // D has its own
)
`
	wantComplaints(t, checkDocumented([]source{example(t, "p/a.go", text)}),
		"Bare is exported", "Edge is exported", "Method is exported", "Func is exported", "C is exported")
}
