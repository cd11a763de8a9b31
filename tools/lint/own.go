package main

import (
	"bytes"
	"go/token"
	"os"
	"strings"

	"github.com/mgechev/revive/lint"
	"github.com/mgechev/revive/rule"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/imports"
	"honnef.co/go/tools/unused"
	"mvdan.cc/gofumpt/format"
)

// Either these linters do not exist as analyzers, or their analyzers report nothing.

var unusedCode = &analysis.Analyzer{
	Name:     "unused",
	Doc:      "code that nobody uses",
	Requires: []*analysis.Analyzer{unused.Analyzer.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		for _, object := range pass.ResultOf[unused.Analyzer.Analyzer].(unused.Result).Unused {
			if object.Kind != "type param" {
				pass.Reportf(position(pass, object.Position), "%s %s is unused", object.Kind, object.Name)
			}
		}
		return nil, nil
	},
}

var docComments = &analysis.Analyzer{
	Name: "revive",
	Doc:  "exported names and packages without a comment, or with one of another form than godoc's",
	Run: func(pass *analysis.Pass) (any, error) {
		exported := &rule.ExportedRule{}
		if err := exported.Configure(nil); err != nil {
			return nil, err
		}
		var all, without []string // tests
		for _, file := range pass.Files {
			name := pass.Fset.File(file.FileStart).Name()
			all = append(all, name)
			if !strings.HasSuffix(name, "_test.go") {
				without = append(without, name)
			}
		}
		for _, part := range []struct {
			rule  lint.Rule
			files []string
		}{{exported, all}, {&rule.PackageCommentsRule{}, without}} {
			linter := lint.New(os.ReadFile, 0)
			config := lint.Config{Rules: lint.RulesConfig{part.rule.Name(): {}}}
			failures, err := linter.Lint([][]string{part.files}, []lint.Rule{part.rule}, config)
			if err != nil {
				return nil, err
			}
			for f := range failures {
				if f.Confidence >= 0.8 {
					pass.Reportf(position(pass, f.Position.Start), "%s", f.Failure)
				}
			}
		}
		return nil, nil
	},
}

var formats = &analysis.Analyzer{
	Name: "format",
	Doc:  "files that gofumpt or goimports would write otherwise",
	Run: func(pass *analysis.Pass) (any, error) {
		imports.LocalPrefix = "github.com/pgtasker/pgtasker"
		for _, file := range pass.Files {
			f := pass.Fset.File(file.FileStart)
			text, err := pass.ReadFile(f.Name())
			if err != nil {
				return nil, err
			}
			better, err := format.Source(text, format.Options{LangVersion: pass.Module.GoVersion})
			if err == nil {
				better, err = imports.Process(f.Name(), better, nil)
			}
			if err != nil {
				return nil, err
			}
			if !bytes.Equal(text, better) {
				pass.Report(analysis.Diagnostic{
					Pos:     f.LineStart(firstDifference(text, better)),
					Message: "is not formatted",
					SuggestedFixes: []analysis.SuggestedFix{{
						Message:   "format",
						TextEdits: []analysis.TextEdit{{Pos: file.FileStart, End: file.FileEnd, NewText: better}},
					}},
				})
			}
		}
		return nil, nil
	},
}

// firstDifference returns the number of the first line that differs.
func firstDifference(text, better []byte) int {
	same := 0
	for same < len(text) && same < len(better) && text[same] == better[same] {
		same++
	}
	return 1 + bytes.Count(text[:min(same, len(text)-1)], []byte("\n"))
}

// position returns the position of a finding that has only a file name and a line.
func position(pass *analysis.Pass, at token.Position) token.Pos {
	for _, file := range pass.Files {
		if f := pass.Fset.File(file.FileStart); f.Name() == at.Filename {
			return f.LineStart(at.Line) + token.Pos(at.Column-1)
		}
	}
	return token.NoPos
}
