package workflow

import (
	"encoding/json"

	"github.com/pgtasker/pgtasker/template"
)

// Attributes are what tasks of the workflow are searched and sorted by, at most eight:
//
//	workflow.New[Order]("shop", "order", "1.0.0", workflow.Attributes(map[string]template.Attribute{
//		"customer": {Context: "$.customer"},
//		"total":    {Type: "number", Context: "$.total", Results: map[string]string{"price": "$.total"}},
//	}))
func Attributes(attributes map[string]template.Attribute) Option {
	return option(func(g *graph) {
		g.template.Attributes, _ = json.Marshal(attributes) // Texts are always JSON.
	})
}
