package workflow_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workflow"
)

// working runs a worker until it is stopped.
func working(t *testing.T, pool *pgxpool.Pool, handle func(does *worker.Worker)) (stop func()) {
	t.Helper()
	does, err := worker.New(pool, worker.Config{PollInterval: 50 * time.Millisecond})
	require.NoError(t, err)
	handle(does)
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	stopped := make(chan error, 1)
	go func() { stopped <- does.Run(ctx) }()
	return func() { cancel(); require.NoError(t, <-stopped) }
}

// stepsOf waits until as many steps of a task are in a state, and have as many attempts, and returns their names.
func stepsOf(t *testing.T, pool *pgxpool.Pool, task uuid.UUID, inState string, attempts, n int) (names []string) {
	t.Helper()
	var all []executor.StepDetail
	require.Eventually(t, func() bool {
		var err error
		all, err = executor.New(pool).ListSteps(t.Context(), task)
		require.NoError(t, err)
		names = nil
		for _, step := range all {
			if string(step.State) == inState && int(step.Attempts) == attempts {
				names = append(names, step.Name)
			}
		}
		return len(names) == n
	}, 20*time.Second, 10*time.Millisecond, "%d steps are %s", n, inState)
	slices.Sort(names)
	return names
}

// Another program has recorded results that do not fit the types of this build: a step that takes one waits for a build that fits, and no
// attempt counts. The same holds for the elements of a map.
func TestStep_LeavesAResultThatDoesNotFitForAnotherBuild(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	w := workflow.New[claim]("shop", "builds", "1")
	once := workflow.Retry{Attempts: 1}
	number := workflow.Root[claim, int](w, "number", nil, workflow.HandledBy("other.number"))
	list := workflow.Root[claim, []int](w, "list", nil, workflow.HandledBy("other.list"))
	workflow.After1(w, "after", number, next, once, workflow.HandledBy("after"))
	workflow.Each(w, "make", list, next, once, workflow.HandledBy("make"))
	require.NoError(t, w.Register(t.Context(), pool))
	stop := working(t, pool, func(does *worker.Worker) {
		w.Handle(does)
		worker.Handle(does, "other.number", func(context.Context, *worker.Job[claim]) (string, error) { return "three", nil })
		worker.Handle(does, "other.list", func(context.Context, *worker.Job[claim]) ([]string, error) { return []string{"a", "b", "c", "d"}, nil })
	})
	task, err := w.Start(t.Context(), pool, claim{})
	require.NoError(t, err)
	misfits := []string{"after", "make[0]", "make[1]", "make[2]", "make[3]"}
	require.Equal(t, misfits, stepsOf(t, pool, task.UUID, "suspended", 0, len(misfits)))
	stop()
	steps, err := executor.New(pool).ListSteps(t.Context(), task.UUID)
	require.NoError(t, err)
	for _, step := range steps {
		if step.Name == "make[3]" {
			explained, err := executor.New(pool).ExplainStep(t.Context(), step.WorkflowStepUUID)
			require.NoError(t, err)
			require.Contains(t, explained.Summary, `the result of "list" does not fit`)
		}
	}

	stop = working(t, pool, func(does *worker.Worker) { // a build that fits
		for _, handler := range []string{"after", "make"} {
			worker.Handle(does, handler, func(context.Context, *worker.Job[claim]) (int, error) { return 1, nil })
		}
	})
	_, err = pool.Exec(t.Context(), "update tasker.timers set due_at = now() where kind = 'end_wait'")
	require.NoError(t, err)
	require.Subset(t, stepsOf(t, pool, task.UUID, "complete", 1, len(misfits)+2), misfits)
	stop()
}

// The result of a task that a step has started is that of the step.
func TestChild_AResultThatDoesNotFitIsLeftForAnotherBuild(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	child := workflow.New[claim]("shop", "part", "1")
	last := workflow.Root[claim, int](child, "last", nil, workflow.HandledBy("other.last"))
	w := workflow.New[claim]("shop", "whole", "1")
	part := workflow.ChildWithContext(w, "part", child, last, nil)
	workflow.After1(w, "after", part, func(context.Context, *workflow.Job[claim], int) (int, error) { return 1, nil }, workflow.Retry{Attempts: 1})
	require.NoError(t, child.Register(t.Context(), pool))
	require.NoError(t, w.Register(t.Context(), pool))
	defer working(t, pool, func(does *worker.Worker) {
		w.Handle(does)
		worker.Handle(does, "other.last", func(context.Context, *worker.Job[claim]) (string, error) { return "three", nil })
	})()
	task, err := w.Start(t.Context(), pool, claim{})
	require.NoError(t, err)
	require.Eventually(t, func() bool { // The step that has started the task is suspended until then.
		return slices.Equal([]string{"after"}, stepsOf(t, pool, task.UUID, "suspended", 0, 1))
	}, 20*time.Second, 10*time.Millisecond)
	steps, err := executor.New(pool).ListSteps(t.Context(), task.UUID)
	require.NoError(t, err)
	after := slices.IndexFunc(steps, func(s executor.StepDetail) bool { return s.Name == "after" })
	explained, err := executor.New(pool).ExplainStep(t.Context(), steps[after].WorkflowStepUUID)
	require.NoError(t, err)
	require.Contains(t, explained.Summary, `the result of "part" does not fit`)
}

// A compensation takes the result of what it undoes.
func TestCompensate_LeavesAResultThatDoesNotFitForAnotherBuild(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	w := workflow.New[claim]("shop", "undone", "1")
	list := workflow.Root[claim, []int](w, "list", func(context.Context, *workflow.Job[claim]) ([]int, error) { return []int{1, 2}, nil })
	booked := workflow.Each[claim, int, int](w, "book", list, nil, workflow.HandledBy("other.book"))
	workflow.CompensateEach(booked, func(context.Context, *workflow.Job[claim], workflow.Undoing[int]) error { return nil })
	workflow.Await(w, "wait", workflow.Signal[bool]("go"), workflow.Waiting{}, booked)
	require.NoError(t, w.Register(t.Context(), pool))
	stop := working(t, pool, func(does *worker.Worker) {
		w.Handle(does)
		worker.Handle(does, "other.book", func(context.Context, *worker.Job[claim]) (string, error) { return "R-1", nil })
	})
	defer stop()
	task, err := w.Start(t.Context(), pool, claim{})
	require.NoError(t, err)
	require.Equal(t, []string{"book[0]", "book[1]", "list"}, stepsOf(t, pool, task.UUID, "complete", 1, 3))
	_, err = executor.New(pool).CancelTask(t.Context(), task.UUID, "", "")
	require.NoError(t, err)
	stepsOf(t, pool, task.UUID, "suspended", 0, 2)
}
