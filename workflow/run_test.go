package workflow_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/inner"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
	"github.com/pgtasker/pgtasker/workflow"
)

func begin(t *testing.T, pool *pgxpool.Pool) pgx.Tx {
	t.Helper()
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) })
	return tx
}

func constant[C, R any](value R) func(context.Context, *workflow.Job[C]) (R, error) {
	return func(context.Context, *workflow.Job[C]) (R, error) { return value, nil }
}

// A function gets what it depends on, in the order of its constructor, whatever the kinds.
func TestAfter_HandsOverResultsInOrder(t *testing.T) {
	t.Parallel()
	w := workflow.New[claim]("shop", "arity", "1")
	a := workflow.Root(w, "a", constant[claim](1))
	b := workflow.Root(w, "b", constant[claim]("two"))
	c := workflow.Root(w, "c", constant[claim]([]int{3}))
	d := workflow.Root(w, "d", constant[claim](assessment{4}))
	e := workflow.Root(w, "e", constant[claim](map[string]int{"five": 5}))
	f := workflow.Root(w, "f", constant[claim]((*int)(nil)))
	type row struct {
		Number int
		A      int
		B      string
		C      []int
		D      assessment
		E      map[string]int
		F      *int
	}
	two := workflow.After2(w, "two", a, b, func(_ context.Context, j *workflow.Job[claim], a int, b string) (row, error) {
		return row{Number: j.Input.Number, A: a, B: b}, nil
	})
	three := workflow.After3(w, "three", a, b, c, func(_ context.Context, _ *workflow.Job[claim], a int, b string, c []int) (row, error) {
		return row{A: a, B: b, C: c}, nil
	})
	four := workflow.After4(w, "four", a, b, c, d,
		func(_ context.Context, _ *workflow.Job[claim], a int, b string, c []int, d assessment) (row, error) {
			return row{A: a, B: b, C: c, D: d}, nil
		})
	last := workflow.After4(w, "last", f, e, d, c,
		func(_ context.Context, _ *workflow.Job[claim], f *int, e map[string]int, d assessment, c []int) (row, error) {
			return row{C: c, D: d, E: e, F: f}, nil
		})
	all := workflow.After2(w, "all", workflow.All(last, two, four), workflow.Inputs(w, rules{"eu", 9}),
		func(_ context.Context, _ *workflow.Job[claim], rows []row, in rules) (rules, error) {
			return rules{Region: rows[1].B + in.Region, Limit: len(rows) + in.Limit + len(rows[0].E)}, nil
		})

	tx := begin(t, pgtest.New(t))
	report := workertest.RunWorkflow(t, tx, w, claim{Number: 7})
	require.Equal(t, state.TaskComplete, report.State)
	require.Equal(t, row{Number: 7, A: 1, B: "two"}, workertest.ResultOf(t, report, two))
	require.Equal(t, row{A: 1, B: "two", C: []int{3}}, workertest.ResultOf(t, report, three))
	require.Equal(t, row{A: 1, B: "two", C: []int{3}, D: assessment{4}}, workertest.ResultOf(t, report, four))
	full := row{C: []int{3}, D: assessment{4}, E: map[string]int{"five": 5}}
	require.Equal(t, full, workertest.ResultOf(t, report, last), "and null is a pointer's own value")
	require.Equal(t, rules{"twoeu", 13}, workertest.ResultOf(t, report, all))
	require.Equal(t, []row{full, full}, workertest.ResultOf(t, report, workflow.All(last, last)))
}

// branches is a claim that is approved or looked into.
func branches(w *workflow.Workflow[claim]) (approve, pay workflow.Step[claim, string], archive workflow.Step[claim, []bool]) {
	assess := workflow.Root(w, "assess", func(_ context.Context, j *workflow.Job[claim]) (assessment, error) {
		return assessment{Amount: j.Input.Number}, nil
	})
	approve = workflow.After1(w, "approve", assess.When("$.amount < 1000"),
		func(context.Context, *workflow.Job[claim], assessment) (string, error) { return "approved", nil })
	investigate := workflow.After1(w, "investigate", assess.When("$.amount >= 1000"),
		func(_ context.Context, j *workflow.Job[claim], a assessment) (string, error) {
			if a.Amount > 5000 {
				return "", worker.Permanent(errors.New("a fraud"))
			}
			return "looked into", nil
		})
	pay = workflow.After2(w, "pay", workflow.Optional(approve), workflow.Optional(investigate),
		func(_ context.Context, _ *workflow.Job[claim], approved, found workflow.Maybe[string]) (string, error) {
			if approved.OK == found.OK {
				return "", errors.New("both or none")
			}
			return approved.Value + found.Value, nil
		}, workflow.JoinAny())
	archive = workflow.After1(w, "archive", workflow.All(workflow.Optional(investigate), workflow.Optional(pay)),
		func(_ context.Context, _ *workflow.Job[claim], all []workflow.Maybe[string]) ([]bool, error) {
			return []bool{all[0].OK, all[1].OK}, nil
		}, workflow.JoinSettled())
	return approve, pay, archive
}

func TestOptional_IsMissingWhereABranchWasSkippedOrFailed(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	for _, test := range []struct {
		amount        int
		approved, pay workflow.Maybe[string]
		archive       []bool
		state         state.TaskState
	}{
		{50, workflow.Maybe[string]{OK: true, Value: "approved"}, workflow.Maybe[string]{OK: true, Value: "approved"}, []bool{false, true}, state.TaskComplete},
		{2000, workflow.Maybe[string]{}, workflow.Maybe[string]{OK: true, Value: "looked into"}, []bool{true, true}, state.TaskComplete},
	} {
		w := workflow.New[claim]("shop", "claim", "1")
		approve, pay, archive := branches(w)
		tx := begin(t, pool)
		report := workertest.RunWorkflow(t, tx, w, claim{Number: test.amount})
		require.Equal(t, test.state, report.State)
		require.Equal(t, test.approved, workertest.ResultOf(t, report, workflow.Optional(approve)))
		require.Equal(t, test.pay, workertest.ResultOf(t, report, workflow.Optional(pay)))
		require.Equal(t, test.archive, workertest.ResultOf(t, report, archive))
		require.NoError(t, tx.Rollback(t.Context()))
	}
}

func TestResult_SaysWhyThereIsNone(t *testing.T) {
	t.Parallel()
	w := workflow.New[claim]("shop", "claim", "1")
	approve, _, archive := branches(w)
	tx := begin(t, pgtest.New(t))
	report := workertest.RunWorkflow(t, tx, w, claim{Number: 9000})
	require.Equal(t, state.TaskBlockedByFailures, report.State)

	_, err := approve.Result(t.Context(), tx, report.Handle)
	var none *executor.TaskError
	require.ErrorAs(t, err, &none)
	require.Equal(t, []any{state.TaskBlockedByFailures, "approve", state.StepCancelled, "investigate", "a fraud"},
		[]any{none.TaskState, none.Step, none.StepState, none.FailedStep, none.LastError})
	require.ErrorIs(t, err, executor.ErrCancelled)
	require.ErrorIs(t, err, executor.ErrBlocked)
	require.EqualError(t, err, "task "+report.Handle.UUID.String()+
		` is blocked_by_failures, and its step "approve" has no result: it is cancelled; "investigate" failed: a fraud`)

	other := workflow.New[claim]("shop", "claim", "2")
	added := workflow.After1(other, "added", workflow.Root(other, "assess", one), next)
	_, err = added.Result(t.Context(), tx, other.Task(report.Handle.UUID))
	require.ErrorContains(t, err, `and has no step "added"`)
	_, err = archive.Result(t.Context(), tx, other.Task(report.Handle.UUID))
	require.EqualError(t, err, "workflow: the step belongs to another workflow than the task")

	foreign := workflow.New[claim]("shop", "refund", "1")
	_, err = workflow.Root(foreign, "a", one).Result(t.Context(), tx, foreign.Task(report.Handle.UUID))
	require.EqualError(t, err, "workflow shop/refund: task "+report.Handle.UUID.String()+" belongs to shop/claim")
	_, err = approve.Result(t.Context(), tx, w.Task(uuid.New()))
	require.ErrorIs(t, err, executor.ErrNotFound)
}

// What an operator resolves without a result is missing: no function is called with a zero value in its place.
func TestAfter_FailsForGoodWithoutAResultThatItNeeds(t *testing.T) {
	t.Parallel()
	w := workflow.New[claim]("shop", "resolved", "1")
	a := workflow.Root(w, "a", func(context.Context, *workflow.Job[claim]) (assessment, error) {
		return assessment{}, worker.Permanent(errors.New("no"))
	})
	workflow.After1(w, "strict", a, func(context.Context, *workflow.Job[claim], assessment) (int, error) { return 1, nil })
	lenient := workflow.After1(w, "lenient", workflow.Optional(a),
		func(_ context.Context, _ *workflow.Job[claim], m workflow.Maybe[assessment]) (bool, error) {
			return m.OK, nil
		})
	list := workflow.Root(w, "list", constant[claim]([]int(nil)))
	length := workflow.After1(w, "length", list, func(_ context.Context, _ *workflow.Job[claim], l []int) (int, error) { return len(l), nil })

	tx := begin(t, pgtest.New(t))
	does, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	w.Handle(does)
	require.NoError(t, w.Register(t.Context(), tx))
	task, err := w.Start(t.Context(), tx, claim{})
	require.NoError(t, err)
	report := workertest.Run(t, tx, does, task.UUID)
	require.Equal(t, state.StepError, report.Step(t, "a").State)
	resolved, err := direct.New(tx).ResolveStepManually(t.Context(), report.Step(t, "a").WorkflowStepUUID, "by hand", "me")
	require.NoError(t, err)
	require.True(t, resolved)

	report = workertest.Run(t, tx, does, task.UUID)
	strict := report.Step(t, "strict")
	require.Equal(t, state.StepError, strict.State)
	require.Equal(t, int32(1), strict.Attempts, "another attempt finds the same")
	require.Equal(t, `step "a" was resolved without a result, and a workflow_test.assessment is needed`, *strict.LastError)
	had, err := lenient.Result(t.Context(), tx, task)
	require.NoError(t, err)
	require.False(t, had)
	n, err := length.Result(t.Context(), tx, task)
	require.NoError(t, err)
	require.Zero(t, n, "a null list has no elements")
	_, err = a.Result(t.Context(), tx, task)
	require.ErrorContains(t, err, `its step "a" has no result: it is resolved_manually`)
}

func version(version, result string, options ...workflow.StepOption) (*workflow.Workflow[claim], workflow.Step[claim, string]) {
	w := workflow.New[claim]("shop", "versioned", version)
	return w, workflow.Root(w, "only", constant[claim](result), options...)
}

func TestHandle_RunsTheCodeOfATasksOwnVersion(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	first, firstStep := version("1.0", "the code of 1.0")
	second, secondStep := version("1.1", "the code of 1.1", workflow.Retry{Attempts: 9})
	require.NoError(t, first.Register(t.Context(), pool))
	oldTask, err := first.Start(t.Context(), pool, claim{Number: 1})
	require.NoError(t, err)
	require.NoError(t, second.Register(t.Context(), pool))
	newTask, err := second.Start(t.Context(), pool, claim{Number: 2})
	require.NoError(t, err)

	does, err := worker.New(pool, worker.Config{})
	require.NoError(t, err)
	first.Handle(does)
	second.Handle(does)
	ctx, stop := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() { stopped <- does.Run(ctx) }()
	have, err := firstStep.Wait(t.Context(), pool, oldTask, executor.WaitOptions{PollInterval: 10 * time.Millisecond})
	require.NoError(t, err)
	require.Equal(t, "the code of 1.0", have)
	have, err = secondStep.Wait(t.Context(), pool, newTask, executor.WaitOptions{PollInterval: 10 * time.Millisecond})
	require.NoError(t, err)
	require.Equal(t, "the code of 1.1", have)
	stop()
	require.NoError(t, <-stopped)

	steps, err := direct.New(pool).ListSteps(t.Context(), oldTask.UUID)
	require.NoError(t, err)
	require.Equal(t, "shop.versioned:1.0.only", steps[0].Handler)
}

// A program that has only the new version does not touch what it has no code for.
func TestHandle_LeavesTasksOfOtherVersionsAlone(t *testing.T) {
	t.Parallel()
	tx := begin(t, pgtest.New(t))
	first, _ := version("1.0", "old")
	second, _ := version("1.1", "new", workflow.Retry{Attempts: 9})
	require.NoError(t, first.Register(t.Context(), tx))
	require.NoError(t, second.Register(t.Context(), tx))
	task, err := first.Start(t.Context(), tx, claim{})
	require.NoError(t, err)
	does, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	second.Handle(does)
	steps, err := direct.New(tx).ListSteps(t.Context(), task.UUID)
	require.NoError(t, err)
	claimed, err := direct.New(tx).ClaimStep(t.Context(), steps[0].WorkflowStepUUID, uuid.New(), time.Minute)
	require.NoError(t, err)
	_, err = inner.Of(does).Do(t.Context(), tx, claimed)
	require.ErrorContains(t, err, "no such handler")
}

func TestStart_TakesPartInTheTransaction(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	w, _ := version("1", "x")
	require.NoError(t, w.Register(t.Context(), pool))
	tx := begin(t, pool)
	task, err := w.Start(t.Context(), tx, claim{Number: 1})
	require.NoError(t, err)
	require.True(t, task.Created)
	_, err = direct.New(pool).GetTask(t.Context(), task.UUID)
	require.ErrorIs(t, err, executor.ErrNotFound)
	require.NoError(t, tx.Rollback(t.Context()))

	task, err = w.Start(t.Context(), pool, claim{Number: 1}, workflow.StartOptions{
		TaskOptions: executor.TaskOptions{Priority: 7, Reason: "a test"},
	})
	require.NoError(t, err)
	detail, err := direct.New(pool).GetTask(t.Context(), task.UUID)
	require.NoError(t, err)
	require.Equal(t, "shop", detail.Namespace)
	require.Equal(t, int32(7), detail.Priority)
	again, err := w.Start(t.Context(), pool, claim{Number: 1})
	require.NoError(t, err)
	require.Equal(t, task.UUID, again.UUID, "by its context it is the same")
	require.False(t, again.Created)

	unregistered, _ := version("2", "x")
	_, err = unregistered.Start(t.Context(), pool, claim{})
	require.ErrorIs(t, err, executor.ErrNotFound)
	require.ErrorContains(t, err, "workflow shop/versioned: ")
	scalar := workflow.New[int]("shop", "scalar", "1")
	workflow.Root(scalar, "a", func(context.Context, *workflow.Job[int]) (int, error) { return 0, nil })
	require.ErrorContains(t, scalar.Register(t.Context(), pool), "the context is a int, whose JSON is no object")
	_, err = scalar.Start(t.Context(), pool, 3)
	require.ErrorIs(t, err, executor.ErrNotFound)
	channel := workflow.New[chan int]("shop", "channel", "1")
	workflow.Root(channel, "a", func(context.Context, *workflow.Job[chan int]) (int, error) { return 0, nil })
	_, err = channel.Start(t.Context(), pool, nil)
	require.ErrorContains(t, err, "workflow shop/channel: the context: json: unsupported type")
}

func TestStart_WithAKeyFindsTheTaskOfTheKey(t *testing.T) {
	t.Parallel()
	tx := begin(t, pgtest.New(t))
	w := workflow.New[claim]("shop", "keyed", "1", workflow.ByKey)
	workflow.Root(w, "a", func(context.Context, *workflow.Job[claim]) (int, error) { return 0, nil })
	require.NoError(t, w.Register(t.Context(), tx))
	task, err := w.Start(t.Context(), tx, claim{Number: 1}, workflow.StartOptions{Key: "order 7"})
	require.NoError(t, err)
	again, err := w.Start(t.Context(), tx, claim{Number: 1}, workflow.StartOptions{Key: "order 7"})
	require.NoError(t, err)
	require.Equal(t, task.UUID, again.UUID)
	_, err = w.Start(t.Context(), tx, claim{Number: 2}, workflow.StartOptions{Key: "order 7"})
	require.ErrorIs(t, err, executor.ErrConflict, "the same key with another argument is a conflict")
}

// The first use ends the definition of a workflow, in whichever goroutine it is.
func TestStart_FromManyGoroutines(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	registered, _ := version(workflow.FromContent, "x")
	require.NoError(t, registered.Register(t.Context(), pool))
	w, _ := version(workflow.FromContent, "x")
	created := make(chan uuid.UUID, 8)
	var all sync.WaitGroup
	for i := range cap(created) {
		all.Go(func() {
			task, err := w.Start(t.Context(), pool, claim{Number: i})
			if assert.NoError(t, err) && assert.True(t, task.Created) {
				created <- task.UUID
			}
		})
	}
	all.Wait()
	close(created)
	tasks := map[uuid.UUID]bool{}
	for task := range created {
		tasks[task] = true
	}
	require.Len(t, tasks, cap(created), "each has a task of its own")
}

func TestJob_KnowsItsAttemptAndKeepsCheckpoints(t *testing.T) {
	t.Parallel()
	type seen struct {
		Had       bool
		Kept      int
		Attempt   int
		Max       int
		LastError string
		Step      uuid.UUID
		Version   string
		Name      string
		Header    any
	}
	w := workflow.New[claim]("shop", "attempts", "1")
	a := workflow.Root(w, "a", func(ctx context.Context, job *workflow.Job[claim]) (out seen, err error) {
		out = seen{Attempt: job.Attempt, Max: job.MaxAttempts, LastError: job.LastError, Step: job.StepUUID, Version: job.TaskVersion, Name: job.Name}
		if out.Had, err = job.LastCheckpoint(&out.Kept); err != nil {
			return out, err
		}
		headers, err := job.Headers()
		if err != nil {
			return out, err
		}
		out.Header = headers["traceparent"]
		if job.Attempt == 1 {
			return out, errors.Join(job.Checkpoint(ctx, 41), errors.New("not yet"))
		}
		return out, nil
	}, workflow.Retry{Attempts: 4})
	tx := begin(t, pgtest.New(t))
	report := workertest.RunWorkflow(t, tx, w, claim{}, workflow.StartOptions{
		TaskOptions: executor.TaskOptions{Headers: []byte(`{"traceparent": "00"}`)},
	})
	require.Equal(t, seen{
		Had: true, Kept: 41, Attempt: 2, Max: 4, LastError: "not yet", Step: report.Step(t, "a").WorkflowStepUUID,
		Version: "1", Name: "a", Header: "00",
	}, workertest.ResultOf(t, report, a))

	literal := &workflow.Job[claim]{}
	had, err := literal.LastCheckpoint(nil)
	require.NoError(t, err)
	require.False(t, had)
	require.NoError(t, literal.Checkpoint(t.Context(), 1))
	headers, err := literal.Headers()
	require.NoError(t, err)
	require.Empty(t, headers)
}

// What a result was when it was recorded does not bind what asks for it: another program may have recorded it.
func TestAfter_LeavesAResultOfAnotherTypeForAnotherBuild(t *testing.T) {
	t.Parallel()
	w := workflow.New[claim]("shop", "python", "1")
	a := workflow.Root[claim, int](w, "a", nil, workflow.HandledBy("python.a"))
	workflow.After1(w, "b", a, next)
	tx := begin(t, pgtest.New(t))
	require.NoError(t, w.Register(t.Context(), tx))
	task, err := w.Start(t.Context(), tx, claim{})
	require.NoError(t, err)
	does, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	w.Handle(does)
	worker.Handle(does, "python.a", func(context.Context, *worker.Job[claim]) (string, error) { return "three", nil })
	report := workertest.Run(t, tx, does, task.UUID)
	b := report.Step(t, "b")
	require.Equal(t, b.MaxAttempts, b.Attempts, "it has all its attempts: another worker may have the build that fits")
	require.Equal(t, state.StepError, b.State)
	require.Contains(t, *b.LastError, `the result of "a" does not fit int`)
	require.Contains(t, *b.LastError, `it is "three"`)
	_, err = a.Result(t.Context(), tx, task)
	require.ErrorContains(t, err, `does not fit int`)
}
