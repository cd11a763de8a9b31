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

// NewFunctions returns functions that run on db: in a transaction if db is one. Their errors are
// those of package executor.
func NewFunctions(db executor.DBTX) *Functions {
	return &Functions{Queries: gen.New(kin.TranslateErrors(db))}
}

// State is the state of a task.
type State = gen.TaskState

// The states of a task. Pending ones include those whose retry waits.
const (
	StatePending   = gen.TaskStatePending
	StateRunning   = gen.TaskStateRunning
	StateCompleted = gen.TaskStateCompleted
	StateFailed    = gen.TaskStateFailed
	StateCancelled = gen.TaskStateCancelled
)

// Details are all that is known of a task.
type Details = gen.TaskDetail

// Submission is the outcome of one submission.
type Submission struct {
	// ID of the task.
	ID uuid.UUID
	// Created is false if an earlier submission with the same key had made the task.
	Created bool
}
