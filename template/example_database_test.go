package template_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/template"
)

// A program registers its templates when it starts. It may do so again at each start.
func ExampleTemplate_JSON() {
	ctx := context.Background()
	t := &pgtest.Example{}
	defer t.End()
	e := executor.New(pgtest.New(t)) // executor.New(pool)

	templates, err := template.Load(strings.NewReader("{namespace: shop, name: order, version: 1.0.0, steps: [{name: charge}]}"))
	if err != nil {
		log.Fatal(err)
	}
	for range 2 {
		text, err := templates[0].JSON()
		if err != nil {
			log.Fatal(err)
		}
		registered, err := e.RegisterTaskTemplate(ctx, text)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(registered.Namespace, registered.Name, registered.Version, "new:", registered.Created)
	}
	// Output:
	// shop order 1.0.0 new: true
	// shop order 1.0.0 new: false
}

// The database checks the values of the fields, and Problem finds the line.
func ExampleTemplate_Problem() {
	ctx := context.Background()
	t := &pgtest.Example{}
	defer t.End()
	e := executor.New(pgtest.New(t))

	templates, err := template.Load(strings.NewReader(`
namespace: shop
name: order
steps:
  - name: charge
    dependencies: [reserve]
`))
	if err != nil {
		log.Fatal(err)
	}
	text, err := templates[0].JSON()
	if err != nil {
		log.Fatal(err)
	}
	problems, err := e.ValidateTaskTemplate(ctx, text)
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range problems {
		fmt.Println(templates[0].Problem(p.Path, p.Problem, ""))
	}
	// Output: line 6: steps[0].dependencies[0]: there is no step "reserve"
}

// A template as a file, from the definition in the database.
func ExampleTemplate_YAML() {
	t := template.Template{Namespace: "shop", Name: "order", Steps: []template.Step{{Name: "charge"}}}
	text, err := t.YAML()
	fmt.Print(string(text))
	fmt.Println(err)
	// Output:
	// namespace: shop
	// name: order
	// steps:
	//   - name: charge
	// <nil>
}
