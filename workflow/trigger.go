package workflow

import "github.com/pgtasker/pgtasker/template"

// StartOn starts a task when an event is emitted, in the transaction that emits the event. So each event has exactly one task. The context
// of the task is the payload, or is made from the payload:
//
//	workflow.New[Order]("shop", "order", "1.0.0", workflow.ByKey, workflow.StartOn(template.StartOn{
//		Event: "paid", When: "$.amount > 0", Context: template.Inputs(map[string]any{"order": "$.number"}), Identity: "$.number",
//	}))
//
// [worker.Event] emits events from Go.
func StartOn(t template.StartOn) Option {
	return option(func(g *graph) { g.template.StartOn = append(g.template.StartOn, t) })
}

// CancelOn cancels the open task of an identity key when an event is emitted, in the transaction that emits the event.
func CancelOn(t template.CancelOn) Option {
	return option(func(g *graph) { g.template.CancelOn = append(g.template.CancelOn, t) })
}
