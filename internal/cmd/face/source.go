package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// goPackage has the declarations of a folder of Go, except tests and generated faces.
type goPackage struct {
	types   map[string]*ast.TypeSpec
	docs    map[string]string // of types
	methods map[string]*ast.FuncDecl
	order   []string          // of methods
	rooms   map[string]string // of methods: their files' names up to the first dot
	used    map[string]bool   // identifiers of all kinds
	texts   []string          // of string literals

	wrapped map[string]bool // methods that call the method of the same name of package sqlfn
}

func readPackage(folder string) (*goPackage, error) {
	p := &goPackage{
		types: map[string]*ast.TypeSpec{}, docs: map[string]string{}, methods: map[string]*ast.FuncDecl{},
		rooms: map[string]string{}, used: map[string]bool{}, wrapped: map[string]bool{},
	}
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") || isGenerated(path) {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		room, _, _ := strings.Cut(filepath.Base(path), ".")
		p.read(file, room)
	}
	return p, nil
}

func (p *goPackage) read(file *ast.File, room string) {
	for _, declaration := range file.Decls {
		switch d := declaration.(type) {
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if spec, ok := spec.(*ast.TypeSpec); ok {
					p.types[spec.Name.Name] = spec
					p.docs[spec.Name.Name] = d.Doc.Text()
				}
			}
		case *ast.FuncDecl:
			if receiver(d) == "Queries" || receiver(d) == "SqlFunctionExecutor" {
				p.methods[d.Name.Name] = d
				p.order = append(p.order, d.Name.Name)
				p.rooms[d.Name.Name] = room
				p.wrapped[d.Name.Name] = wraps(d)
			}
		}
	}
	of := map[*ast.Ident]bool{} // names after a dot: a row that is written as gen.Row needs no other name
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			of[s.Sel] = true
		}
		if name, ok := n.(*ast.Ident); ok && !of[name] {
			p.used[name.Name] = true
		}
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			if text, err := strconv.Unquote(literal.Value); err == nil {
				p.texts = append(p.texts, text)
			}
		}
		return true
	})
}

// wraps reports whether a method calls e.Functions' method of its name.
func wraps(d *ast.FuncDecl) (found bool) {
	ast.Inspect(d, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == d.Name.Name {
			if of, ok := s.X.(*ast.SelectorExpr); ok && of.Sel.Name == "Functions" {
				found = true
			}
		}
		return true
	})
	return found
}

// receiver returns the type that has d as a method, or "" if d is no method.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	star, ok := d.Recv.List[0].Type.(*ast.StarExpr)
	if !ok {
		return ""
	}
	name, _ := star.X.(*ast.Ident)
	if name == nil {
		return ""
	}
	return name.Name
}

var commentOn = regexp.MustCompile(`(?s)comment on function tasker\.(\w+) is\s*(?:\$\$(.*?)\$\$|'((?:[^']|'')*)');`)

// readComments returns the comments of SQL functions by name. For overloaded functions it returns the first comment.
func readComments(folder string) (map[string]string, error) {
	comments := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".sql" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, match := range commentOn.FindAllStringSubmatch(string(text), -1) {
			if _, found := comments[match[1]]; !found {
				comments[match[1]] = match[2] + strings.ReplaceAll(match[3], "''", "'")
			}
		}
		return nil
	})
	return comments, err
}
