package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// golden is the path of the file that has the names, from the root.
const golden = "internal/cmd/names/face.tsv"

// generated are the packages that a generator writes from the SQL functions. The promise of stable names does not cover them.
var generated = []string{"gen", "gen/sqlfn", "tasklib/gen"}

// apart are folders without public packages.
var apart = []string{
	"internal", "testdata", "cmd", "bench", "examples", "tools", "docs", "clients", "deploy", "pgtap", "queries",
}

// row is an exported name.
type row struct{ pkg, kind, name, fields string }

// walk lists the exported names of all public packages below root.
func walk(root string) (rows []row, _ error) {
	structs, err := structsOf(filepath.Join(root, "gen"))
	if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if base := filepath.Base(path); rel != "." && (strings.HasPrefix(base, ".") || slices.Contains(apart, base)) {
			return filepath.SkipDir
		}
		more, err := packageRows(filepath.ToSlash(rel), path, structs)
		rows = append(rows, more...)
		return err
	})
	return rows, err
}

// structsOf returns the fields of a package's structs.
func structsOf(dir string) (map[string]string, error) {
	structs := map[string]string{}
	err := each(dir, func(f *ast.File) {
		for _, decl := range f.Decls {
			d, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range d.Specs {
				if s, ok := spec.(*ast.TypeSpec); ok {
					structs[s.Name.Name] = fields(s.Type, nil)
				}
			}
		}
	})
	return structs, err
}

// each parses the files of a package, except tests.
func each(dir string, visit func(*ast.File)) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		if f.Name.Name != "main" {
			visit(f)
		}
	}
	return nil
}

func packageRows(rel, dir string, structs map[string]string) (rows []row, _ error) {
	answered := map[string]bool{}
	err := each(dir, func(f *ast.File) {
		for _, decl := range f.Decls {
			rows = append(rows, declared(rel, decl, structs)...)
			if !slices.Contains(generated, rel) {
				inSignature(decl, answered)
			}
		}
	})
	for name := range answered {
		if structs[name] != "" {
			rows = append(rows, row{rel, shown, "gen." + name, structs[name]})
		}
	}
	slices.SortFunc(rows, func(a, b row) int { return strings.Compare(a.kind+" "+a.name, b.kind+" "+b.name) })
	return rows, err
}

// shown is the kind of a row of gen that an exported function takes or returns. The promise covers its fields. Its name belongs
// to gen and does not count.
const shown = "row"

// inSignature notes the types of gen that an exported function takes or returns.
func inSignature(decl ast.Decl, names map[string]bool) {
	d, ok := decl.(*ast.FuncDecl)
	if !ok || !d.Name.IsExported() || d.Recv != nil && !ast.IsExported(receiverOf(d)) {
		return
	}
	ast.Inspect(d.Type, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if pkg, ok := s.X.(*ast.Ident); ok && pkg.Name == "gen" {
				names[s.Sel.Name] = true
			}
		}
		return true
	})
}

// declared returns the rows of a declaration.
func declared(pkg string, decl ast.Decl, structs map[string]string) (rows []row) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		receiver := receiverOf(d)
		switch {
		case !d.Name.IsExported():
		case d.Recv == nil:
			rows = append(rows, row{pkg, "func", d.Name.Name, ""})
		case ast.IsExported(receiver):
			rows = append(rows, row{pkg, "method", receiver + "." + d.Name.Name, ""})
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() {
					rows = append(rows, row{pkg, "type", s.Name.Name, fields(s.Type, structs)})
				}
			case *ast.ValueSpec:
				for _, name := range s.Names {
					if name.IsExported() {
						rows = append(rows, row{pkg, d.Tok.String(), name.Name, ""})
					}
				}
			}
		}
	}
	return rows
}

func receiverOf(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// fields returns the exported fields of a struct, the methods of an interface, or the fields of the struct of gen that an
// alias names.
func fields(t ast.Expr, structs map[string]string) string {
	var list *ast.FieldList
	switch x := t.(type) {
	case *ast.StructType:
		list = x.Fields
	case *ast.InterfaceType:
		list = x.Methods
	case *ast.SelectorExpr:
		if pkg, ok := x.X.(*ast.Ident); ok && pkg.Name == "gen" {
			return structs[x.Sel.Name]
		}
		return ""
	default:
		return ""
	}
	var names []string
	for _, f := range list.List {
		if len(f.Names) == 0 { // Users see the fields of an embedded struct of gen, too.
			if more := fields(f.Type, structs); more != "" {
				names = append(names, more)
			}
		}
		for _, n := range f.Names {
			if n.IsExported() {
				names = append(names, n.Name)
			}
		}
	}
	return strings.Join(names, " ")
}

// text returns the list of the names outside the generated packages.
func text(rows []row) string {
	var b strings.Builder
	for _, r := range rows {
		if !slices.Contains(generated, r.pkg) {
			fmt.Fprintln(&b, strings.TrimRight(strings.Join([]string{r.pkg, r.kind, r.name, r.fields}, "\t"), "\t"))
		}
	}
	return b.String()
}

// outside returns the number of names outside the generated packages.
func outside(rows []row) (n int) {
	for _, r := range rows {
		if r.kind != shown && !slices.Contains(generated, r.pkg) {
			n++
		}
	}
	return n
}

// counts lists the number of names in each package.
func counts(rows []row) string {
	var order []string
	number := map[string]int{}
	for _, r := range rows {
		if r.kind == shown {
			continue
		}
		if number[r.pkg]++; number[r.pkg] == 1 {
			order = append(order, r.pkg)
		}
	}
	var b strings.Builder
	for _, pkg := range order {
		fmt.Fprintf(&b, "%5d %s\n", number[pkg], pkg)
	}
	fmt.Fprintf(&b, "%5d outside the generated packages\n", outside(rows))
	return b.String()
}
