package workflow

import (
	"github.com/pgtasker/pgtasker/worker"
)

// These types come from package worker.
type (
	// Job is one attempt at a step, in the form that the step's function gets.
	Job[C any] = worker.Job[C]
	// Signal is the name of a signal to one task, with a payload of type P. [Await] makes the step that takes the signal:
	//
	//	const approved = workflow.Signal[Approval]("approved")
	Signal[P any] = worker.Signal[P]
	// Event is the name of an event with a payload of type P. Every step of its namespace that waits for the event takes it:
	//
	//	const paid = workflow.Event[Payment]("paid")
	//
	//	payment := workflow.Await(order, "payment", paid.AboutPath("$.order"), workflow.Waiting{LookBack: time.Hour}, check)
	Event[P any] = worker.Event[P]
	// SendOptions say how a signal is sent or an event is emitted.
	SendOptions = worker.SendOptions
	// Waiting says how a step waits.
	Waiting = worker.Waiting
	// Answer is the result of a step that waits. Conditions of dependent steps refer to this object: "$.payload.ok == true".
	Answer[P any] = worker.Answer[P]
)
