package template_test

import (
	"fmt"
	"strings"

	"github.com/pgtasker/pgtasker/template"
)

func ExampleLoad() {
	templates, err := template.Load(strings.NewReader(`
namespace: shipping
name: order
steps:
  - name: reserve
  - name: ship
    dependencies: [reserve]
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, t := range templates {
		text, _ := t.JSON()
		fmt.Printf("%s/%s: %d steps\n%s\n", t.Namespace, t.Name, len(t.Steps), text)
	}
	// Output:
	// shipping/order: 2 steps
	// {"namespace":"shipping","name":"order","steps":[{"name":"reserve"},{"name":"ship","dependencies":[{"step":"reserve"}]}]}
}

func ExampleLoad_strict() {
	_, err := template.Load(strings.NewReader(`
namespace: shipping
name: order
steps:
  - name: ship
    timeout_second: 30
`))
	fmt.Println(err)
	// Output:
	// line 6: steps[0].timeout_second: a step has no such field (Did you mean "timeout_seconds"? Its fields are name, description, handler, dependencies, join, retry, timeout_seconds, priority, initialization, await, timeout, on_timeout, assignee, task, for_each, max_parallel, allow_failures, compensate, limit, limit_key, sql, limit_units, limit_hold, limits, start_within, limit_bound, limit_bound_max.)
}
