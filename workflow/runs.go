package workflow

import "github.com/pgtasker/pgtasker/template"

// Runs bounds how many tasks of the workflow run at once for each key, and says what happens to further tasks:
//
//	workflow.New[Order]("shop", "order", "1.0.0", workflow.Runs(template.Runs{Key: "$.customer", Sequence: true}))
func Runs(r template.Runs) Option {
	return option(func(g *graph) { g.template.Runs = &r })
}
