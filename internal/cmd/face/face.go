package main

import (
	"fmt"
	"go/ast"
	"go/printer"
	"go/token"
	"slices"
	"strings"
)

// face has the declarations of package sqlfn for the queries that package executor does not wrap by hand, and the
// names that executor gives to rows.
type face struct {
	gen, written *goPackage
	comments     map[string]string // of SQL functions, by the name of their method
	methods      []*ast.FuncDecl
	models       map[string]bool // the rows that executor names
	imports      map[string]bool // imports of the file that is being written
}

func newFace(gen, written *goPackage, comments map[string]string) *face {
	f := &face{gen: gen, written: written, comments: map[string]string{}, models: map[string]bool{}}
	for name, comment := range comments {
		f.comments[methodName(name)] = comment
	}
	for _, name := range gen.order {
		method := gen.methods[name]
		// Rows that executor gives methods are wrapped by hand twice, since executor calls the method of sqlfn.
		if name == "WithTx" || written.methods[exported(name)] != nil && !written.wrapped[exported(name)] {
			continue
		}
		f.methods = append(f.methods, method)
	}
	for name := range written.used {
		if gen.types[name] != nil && written.types[name] == nil && !strings.HasSuffix(name, "Params") && structOf(gen.types[name]) != nil {
			f.models[name] = true
		}
	}
	delete(f.models, "Queries")
	slices.SortFunc(f.methods, func(a, b *ast.FuncDecl) int { return strings.Compare(exported(a.Name.Name), exported(b.Name.Name)) })
	return f
}

func structOf(spec *ast.TypeSpec) *ast.StructType {
	if spec == nil {
		return nil
	}
	s, _ := spec.Type.(*ast.StructType)
	return s
}

func result(method *ast.FuncDecl) ast.Expr { return method.Type.Results.List[0].Type }

// rooms returns the rooms of the methods, which are the files of queries that they come from.
func (f *face) rooms() (names []string) {
	for _, method := range f.methods {
		if room := f.gen.rooms[method.Name.Name]; !slices.Contains(names, room) {
			names = append(names, room)
		}
	}
	return names
}

// functions returns the methods of a room, each after the type of its arguments.
func (f *face) functions(room string) string {
	f.imports = map[string]bool{"context": true}
	var b strings.Builder
	for _, method := range f.methods {
		if f.gen.rooms[method.Name.Name] == room {
			f.method(&b, method)
		}
	}
	if strings.Contains(b.String(), "gen.") {
		f.imports["github.com/pgtasker/pgtasker/gen"] = true
	}
	return f.withImports(b.String())
}

// rows returns the names that executor gives to rows of package gen.
func (f *face) rows() string {
	f.imports = map[string]bool{}
	var b strings.Builder
	names := make([]string, 0, len(f.models))
	for name := range f.models {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		b.WriteString(docOf(name, f.gen.docs[name]))
		f.imports["github.com/pgtasker/pgtasker/gen"] = true
		fmt.Fprintf(&b, "type %[1]s = gen.%[1]s\n\n", name)
	}
	return f.withImports(b.String())
}

func (f *face) withImports(body string) string {
	paths := make([]string, 0, len(f.imports))
	for path := range f.imports {
		paths = append(paths, path)
	}
	// The standard library comes first, then third-party packages, then our packages.
	slices.SortFunc(paths, func(a, b string) int {
		return strings.Compare(importGroup(a)+a, importGroup(b)+b)
	})
	var b strings.Builder
	b.WriteString("import (\n")
	for i, path := range paths {
		if i > 0 && importGroup(path) != importGroup(paths[i-1]) {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%q\n", path)
	}
	return b.String() + ")\n\n" + body
}

func importGroup(path string) string {
	switch {
	case strings.HasPrefix(path, "github.com/pgtasker"):
		return "2"
	case strings.Contains(path, "."):
		return "1"
	}
	return "0"
}

// packages are the packages whose types the generated Go names.
var packages = map[string]string{
	"time": "time", "json": "encoding/json", "uuid": "github.com/google/uuid", "state": "github.com/pgtasker/pgtasker/state",
}

// goType returns a type as source, and remembers the packages that it names.
func (f *face) goType(t ast.Expr) string {
	ast.Inspect(t, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if name, ok := s.X.(*ast.Ident); ok && packages[name.Name] != "" {
				f.imports[packages[name.Name]] = true
			}
		}
		return true
	})
	var b strings.Builder
	if err := printer.Fprint(&b, token.NewFileSet(), t); err != nil {
		panic(err) // the type was parsed
	}
	if name := strings.TrimLeft(b.String(), "[]*"); f.gen.types[name] != nil {
		return strings.TrimSuffix(b.String(), name) + "gen." + name
	}
	return b.String()
}
