package main

import (
	"cmp"
	"go/ast"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// judge returns one analyzer that reports the findings of all linters, except findings that a comment silences. It also reports
// comments that silence no finding.
func judge(all []linter) *analysis.Analyzer {
	var collected []*analysis.Analyzer
	from := map[*analysis.Analyzer]string{}
	known := map[string]bool{}
	for _, l := range all {
		known[l.name] = true
		for _, a := range l.analyzers {
			c := collect(a)
			collected = append(collected, c)
			from[c] = l.name
		}
	}
	return &analysis.Analyzer{
		Name:     "lint",
		Doc:      "the linters of this repository",
		Requires: collected,
		Run: func(pass *analysis.Pass) (any, error) {
			notes := directives(pass)
			generated := map[string]bool{}
			for _, file := range pass.Files {
				generated[pass.Fset.File(file.FileStart).Name()] = ast.IsGenerated(file)
			}
			for _, c := range collected {
				for _, d := range pass.ResultOf[c].([]analysis.Diagnostic) {
					at := pass.Fset.PositionFor(d.Pos, false)
					if generated[at.Filename] || notes.silence(from[c], at.Filename, at.Line) {
						continue
					}
					d.Message += " (" + from[c] + ")"
					if c.Name != from[c] {
						d.Message = c.Name + ": " + d.Message
					}
					pass.Report(d)
				}
			}
			notes.report(pass, known)
			return nil, nil
		},
	}
}

// collect returns an analyzer that returns the findings of another analyzer as its result, instead of reporting them.
func collect(a *analysis.Analyzer) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name: a.Name, Doc: a.Doc, URL: a.URL, Requires: a.Requires, FactTypes: a.FactTypes,
		ResultType: reflect.TypeFor[[]analysis.Diagnostic](),
		Run: func(pass *analysis.Pass) (any, error) {
			var found []analysis.Diagnostic
			own := *pass
			own.Analyzer = a
			own.Report = func(d analysis.Diagnostic) { found = append(found, d) }
			_, err := a.Run(&own)
			slices.SortStableFunc(found, func(one, other analysis.Diagnostic) int { return cmp.Compare(one.Pos, other.Pos) })
			return found, err
		},
	}
}

// note is a comment that silences linters on its line.
type note struct {
	comment *ast.Comment
	file    string
	line    int
	names   []string
	used    map[string]bool
}

type notes []*note

var (
	anyNote  = regexp.MustCompile(`^//\s*nolint\b`)
	goodNote = regexp.MustCompile(`^//nolint:([a-z]+(?:,[a-z]+)*) // *\S`)
)

func directives(pass *analysis.Pass) (all notes) {
	for _, file := range pass.Files {
		for _, group := range file.Comments {
			for _, comment := range group.List {
				if !anyNote.MatchString(comment.Text) {
					continue
				}
				at := pass.Fset.PositionFor(comment.Pos(), false)
				n := &note{comment: comment, file: at.Filename, line: at.Line, used: map[string]bool{}}
				if good := goodNote.FindStringSubmatch(comment.Text); good != nil {
					n.names = strings.Split(good[1], ",")
				}
				all = append(all, n)
			}
		}
	}
	return all
}

func (all notes) silence(name, file string, line int) (silenced bool) {
	for _, n := range all {
		if n.file == file && n.line == line && slices.Contains(n.names, name) {
			n.used[name], silenced = true, true
		}
	}
	return silenced
}

// report reports the comments that silence no finding. Either the linter finds nothing there, or the linter does not run.
func (all notes) report(pass *analysis.Pass, known map[string]bool) {
	for _, n := range all {
		if n.names == nil {
			pass.Reportf(n.comment.Pos(), "write //nolint:LINTER // REASON (nolint)")
		}
		for _, name := range n.names {
			switch {
			case !known[name]:
				pass.Reportf(n.comment.Pos(), "%s does not run here (nolint)", name)
			case !n.used[name]:
				pass.Reportf(n.comment.Pos(), "%s finds nothing on this line (nolint)", name)
			}
		}
	}
}
