package workflow

import (
	"encoding/json"

	"github.com/pgtasker/pgtasker/template"
)

// Attributes declares the attributes by which tasks of the workflow can be searched and sorted. A workflow has at most eight attributes:
//
//	workflow.New[Order]("shop", "order", "1.0.0", workflow.Attributes(map[string]template.Attribute{
//		"customer": {Context: "$.customer"},
//		"total":    {Type: "number", Context: "$.total", Results: map[string]string{"price": "$.total"}},
//	}))
func Attributes(attributes map[string]template.Attribute) Option {
	return option(func(g *graph) {
		g.template.Attributes, _ = json.Marshal(attributes) // Encoding texts cannot fail.
	})
}
