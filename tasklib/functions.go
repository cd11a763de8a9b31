package tasklib

import (
	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/kin"
	"github.com/pgtasker/pgtasker/tasklib/gen"
)

// Functions has a typed method for every public SQL function of schema tasklib.
type Functions struct {
	*gen.Queries
}

// NewFunctions returns functions that run on db. If db is a transaction, they take part in it. They return the errors of package executor.
func NewFunctions(db executor.DBTX) *Functions {
	return &Functions{Queries: gen.New(kin.TranslateErrors(db))}
}

// State is the state of a task.
type State = gen.TaskState

// The states of a task. A task that waits for a retry is pending, too.
const (
	StatePending   = gen.TaskStatePending
	StateRunning   = gen.TaskStateRunning
	StateCompleted = gen.TaskStateCompleted
	StateFailed    = gen.TaskStateFailed
	StateCancelled = gen.TaskStateCancelled
)

// Details are all data about a task.
type Details = gen.TaskDetail

// Submission is the outcome of one submission.
type Submission struct {
	// ID of the task.
	ID uuid.UUID
	// Created is false if an earlier submission with the same key made the task.
	Created bool
}
