package serve

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"net/http"
	"strings"
	"sync"
)

//go:embed page
var pageFiles embed.FS

// documentation answers with a page for people that describes the operations. The page loads no other files and runs no
// scripts.
func documentation(w http.ResponseWriter, _ *http.Request) {
	p := page()
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", p.policy)
	_, _ = w.Write(p.html) // The client may be gone.
}

type rendered struct {
	html   []byte
	policy string
}

// shownOperation is an operation in the form that the page shows.
type shownOperation struct {
	ID, Method, Path, Summary, Description string
	Parameters, Fields                     []shownField
	Whole                                  bool
	Statuses                               []int
}

type shownField struct {
	Name, Place, Doc string
	Required         bool
}

type shownGroup struct {
	Name       string
	Operations []shownOperation
}

var page = sync.OnceValue(func() rendered {
	style, err := pageFiles.ReadFile("page/style.css")
	if err != nil {
		panic(err)
	}
	sum := sha256.Sum256(style)
	var html bytes.Buffer
	err = template.Must(template.New("page.html").ParseFS(pageFiles, "page/page.html")).Execute(&html, map[string]any{
		"Style":  template.CSS(style), // The style is trusted, because it is part of this package.
		"Groups": shownGroups(),
	})
	if err != nil {
		panic(err)
	}
	return rendered{html.Bytes(), "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-" +
		base64.StdEncoding.EncodeToString(sum[:]) + "'"}
})

func shownGroups() (shown []shownGroup) {
	for _, name := range groups() {
		g := shownGroup{Name: name}
		for _, o := range operations {
			if o.group == name {
				g.Operations = append(g.Operations, o.shown())
			}
		}
		shown = append(shown, g)
	}
	return shown
}

func (o operation) shown() shownOperation {
	s := shownOperation{ID: o.id, Method: o.method, Path: o.path, Summary: o.summary, Description: o.description, Statuses: o.statuses()}
	for _, p := range parameters(o.in) {
		s.Parameters = append(s.Parameters, shownField{p.name, p.place, p.Tag.Get("doc"), p.required})
	}
	_, s.Whole = bodyField(o.in)
	for _, f := range bodyFields(o.in) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		s.Fields = append(s.Fields, shownField{name, "body", f.Tag.Get("doc"), f.Tag.Get("required") != ""})
	}
	return s
}
