package docs

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
)

// optionTable returns the options of package workflow as a table of Markdown: kind is StepOption for the options of a step, or
// Option for the options of a workflow. An option is a function that returns the kind, a type with the method of the kind, or a
// constant of such a type.
func optionTable(root, kind string) (string, error) {
	files, err := filepath.Glob(filepath.Join(root, "workflow", "*.go"))
	if err != nil {
		return "", err
	}
	set := token.NewFileSet()
	var parsed []*ast.File
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, file, nil, parser.ParseComments)
		if err != nil {
			return "", err
		}
		parsed = append(parsed, f)
	}
	method := map[string]string{"StepOption": "step", "Option": "workflow"}[kind]
	is := map[string]bool{} // the types that are options of this kind
	for _, f := range parsed {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil && fn.Name.Name == method {
				is[typeName(fn.Recv.List[0].Type)] = true
			}
		}
	}
	pkg, err := doc.NewFromFiles(set, parsed, "github.com/pgtasker/pgtasker/workflow")
	if err != nil {
		return "", err
	}
	var rows [][2]string
	row := func(name, text string) { rows = append(rows, [2]string{name, sentences(pkg, text, name)}) }
	function := func(f *doc.Func) {
		if results := f.Decl.Type.Results; results != nil && len(results.List) == 1 && typeName(results.List[0].Type) == kind {
			row(f.Name, f.Doc)
		}
	}
	for _, f := range pkg.Funcs {
		function(f)
	}
	for _, t := range pkg.Types {
		for _, f := range t.Funcs {
			function(f)
		}
		if !is[t.Name] {
			continue
		}
		if len(t.Consts) == 0 {
			row(t.Name, t.Doc)
			rows[len(rows)-1][1] += fieldsOf(t)
		}
		for _, c := range t.Consts {
			for _, spec := range c.Decl.Specs {
				value := spec.(*ast.ValueSpec)
				row(value.Names[0].Name, value.Doc.Text()+value.Comment.Text())
			}
		}
	}
	slices.SortFunc(rows, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	table := newTable("option", "meaning")
	for _, r := range rows {
		table.row("`"+r[0]+"`", r[1])
	}
	return table.String(), nil
}

// fieldsOf returns a sentence with the fields of an option that is a struct, or nothing.
func fieldsOf(t *doc.Type) string {
	structure, is := t.Decl.Specs[0].(*ast.TypeSpec).Type.(*ast.StructType)
	if !is {
		return ""
	}
	var names []string
	for _, field := range structure.Fields.List {
		for _, name := range field.Names {
			names = append(names, "`"+name.Name+"`")
		}
	}
	return " Fields: " + strings.Join(names, ", ") + "."
}

func typeName(e ast.Expr) string {
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	if name, ok := e.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}

// sentences returns the first paragraph of a doc comment, without the name that it begins with and without links.
func sentences(pkg *doc.Package, text, name string) string {
	paragraph, _, _ := strings.Cut(strings.TrimSpace(text), "\n\n")
	paragraph, _, _ = strings.Cut(paragraph, "\n\t")
	words := strings.Join(strings.Fields(strings.NewReplacer("[", "", "]", "").Replace(paragraph)), " ")
	words = strings.TrimPrefix(strings.TrimPrefix(words, name+" "), "is ")
	if words == "" {
		words = pkg.Synopsis(text)
	}
	words = strings.TrimSuffix(words, ":")
	if !strings.HasSuffix(words, ".") {
		words += "."
	}
	return strings.ToUpper(words[:1]) + words[1:]
}
