package workertest

import (
	"testing"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workflow"
)

// WorkflowReport describes a workflow's task after a run.
type WorkflowReport[C any] struct {
	Report
	Handle workflow.Task[C]

	db executor.DBTX
}

// RunWorkflow registers a workflow, starts a task of the workflow and runs the task's steps as [Run] does. If db is a transaction,
// everything can be rolled back. [ResultOf] returns typed results.
func RunWorkflow[C any](
	t testing.TB, db executor.DBTX, w *workflow.Workflow[C], input C, options ...workflow.StartOptions,
) WorkflowReport[C] {
	t.Helper()
	if err := w.Register(t.Context(), db); err != nil {
		t.Fatal("workertest:", err)
	}
	task, err := w.Start(t.Context(), db, input, options...)
	if err != nil {
		t.Fatal("workertest:", err)
	}
	does, err := worker.New(nil, worker.Config{})
	if err != nil {
		t.Fatal("workertest:", err)
	}
	w.Handle(does)
	return WorkflowReport[C]{Report: Run(t, db, does, task.UUID), Handle: task, db: db}
}

// ResultOf returns the result of a step, and fails the test if the step has no result.
func ResultOf[C, R any](t testing.TB, r WorkflowReport[C], step workflow.Step[C, R]) R {
	t.Helper()
	value, err := step.Result(t.Context(), r.db, r.Handle)
	if err != nil {
		t.Fatal("workertest:", err)
	}
	return value
}
