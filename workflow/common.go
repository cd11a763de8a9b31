package workflow

import (
	"github.com/pgtasker/pgtasker/worker"
)

// What this package has in common with package worker.
type (
	// Job is one attempt at a step, as its function gets it.
	Job[C any] = worker.Job[C]
	// Answer is the result of a step that waits. Conditions of its dependants are about this object: "$.payload.ok == true".
	Answer[P any] = worker.Answer[P]
)
