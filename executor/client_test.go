package executor_test

import (
	"context"
	"encoding/json"
	"iter"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
)

const twoSteps = `{"namespace": "shop", "name": "order", "identity_strategy": "caller_provided", "steps": [
	{"name": "charge", "retry": {"max_attempts": 1}}, {"name": "pack", "dependencies": ["charge"]}]}`

var ada = executor.By{Actor: "ada", Reason: "the customer called"}

// all collects a list.
func all[R any](t *testing.T, list iter.Seq2[R, error]) (rows []R) {
	t.Helper()
	for row, err := range list {
		require.NoError(t, err)
		rows = append(rows, row)
	}
	return rows
}

func shop(t *testing.T) (*pgxpool.Pool, *executor.Client) {
	t.Helper()
	pool := pgtest.New(t)
	c := executor.NewClient(pool)
	_, err := c.Templates().Register(t.Context(), json.RawMessage(twoSteps))
	require.NoError(t, err)
	return pool, c
}

func order(t *testing.T, c *executor.Client, key string) uuid.UUID {
	t.Helper()
	task, err := c.Tasks().Create(t.Context(), executor.TaskRequest{Namespace: "shop", Name: "order", IdentityKey: key})
	require.NoError(t, err)
	return task.TaskUUID
}

func TestTasks_ListFindAndReadOne(t *testing.T) {
	t.Parallel()
	_, c := shop(t)
	first, second := order(t, c, "A-1"), order(t, c, "A-2")

	found, err := c.Tasks().Find(t.Context(), executor.TaskKey{Namespace: "shop", Name: "order", IdentityKey: "A-1"})
	require.NoError(t, err)
	require.Equal(t, first, found.TaskUUID)
	_, err = c.Tasks().Find(t.Context(), executor.TaskKey{Namespace: "shop", Name: "order", IdentityKey: "A-3"})
	require.ErrorIs(t, err, executor.ErrNotFound)

	listed := all(t, c.Tasks().List(t.Context(), executor.TaskFilter{Namespace: "shop"}))
	require.Equal(t, []uuid.UUID{second, first}, []uuid.UUID{listed[0].TaskUUID, listed[1].TaskUUID})
	require.Len(t, all(t, c.Tasks().List(t.Context(), executor.TaskFilter{Namespace: "shop", Limit: 1})), 1)

	step, err := c.Tasks().Step(t.Context(), first, "pack")
	require.NoError(t, err)
	require.Equal(t, state.StepPending, step.State)
	_, err = c.Tasks().Step(t.Context(), first, "ship")
	require.ErrorIs(t, err, executor.ErrNotFound)
	require.NotEmpty(t, all(t, c.Tasks().History(t.Context(), first)))
	require.Len(t, all(t, c.Tasks().Tree(t.Context(), first)), 1)
}

// A list asks again and again, and gives each row once.
func TestTasks_StepsAndHistoryComePageByPage(t *testing.T) {
	t.Parallel()
	_, c := shop(t)
	var steps []string
	for i := range 600 {
		steps = append(steps, string(rune('a'+i/100))+string(rune('a'+i/10%10))+string(rune('a'+i%10)))
	}
	var template struct {
		Namespace string              `json:"namespace"`
		Name      string              `json:"name"`
		Steps     []map[string]string `json:"steps"`
	}
	template.Namespace, template.Name = "shop", "wide"
	for _, name := range steps {
		template.Steps = append(template.Steps, map[string]string{"name": name})
	}
	raw, err := json.Marshal(template)
	require.NoError(t, err)
	_, err = c.Templates().Register(t.Context(), raw)
	require.NoError(t, err)
	task, err := c.Tasks().Create(t.Context(), executor.TaskRequest{Namespace: "shop", Name: "wide"})
	require.NoError(t, err)

	var names []string
	for step, err := range c.Tasks().Steps(t.Context(), task.TaskUUID) {
		require.NoError(t, err)
		names = append(names, step.Name)
	}
	require.Equal(t, steps, names)

	seen := map[string]int{}
	for _, event := range all(t, c.Tasks().History(t.Context(), task.TaskUUID)) {
		if event.StepName != nil {
			seen[*event.StepName+" "+event.ToState]++
		}
	}
	require.GreaterOrEqual(t, len(seen), 600)
	for what, times := range seen {
		require.Equal(t, 1, times, what)
	}
}

func TestTasks_WaitSaysHowATaskHasEnded(t *testing.T) {
	t.Parallel()
	pool, c := shop(t)
	id := order(t, c, "A-1")
	waited := make(chan error, 1)
	go func() {
		_, err := c.Tasks().Wait(t.Context(), id)
		waited <- err
	}()
	changed, err := c.Operate().Cancel(t.Context(), id, ada)
	require.NoError(t, err)
	require.True(t, changed)
	err = <-waited
	require.ErrorIs(t, err, executor.ErrCancelled)
	var how *executor.TaskError
	require.ErrorAs(t, err, &how)
	require.Equal(t, state.TaskCancelled, how.TaskState)
	again, err := c.Operate().Cancel(t.Context(), id, ada)
	require.NoError(t, err)
	require.False(t, again)

	id = order(t, c, "A-2")
	fail(t, pool, "charge", "the bank is closed")
	task, err := c.Tasks().Wait(t.Context(), id)
	require.ErrorIs(t, err, executor.ErrBlocked)
	require.ErrorContains(t, err, "the bank is closed")
	require.Equal(t, state.TaskBlockedByFailures, task.State)
	_, err = c.Tasks().WaitStep(t.Context(), id, "charge")
	require.ErrorIs(t, err, executor.ErrFailed)
	require.ErrorIs(t, err, executor.ErrBlocked)
	_, err = c.Tasks().WaitStep(t.Context(), id, "pack")
	require.ErrorIs(t, err, executor.ErrBlocked)
	require.NotErrorIs(t, err, executor.ErrFailed)
	_, err = c.Tasks().WaitStep(t.Context(), id, "ship")
	require.ErrorIs(t, err, executor.ErrNoResult)

	reset, err := c.Operate().Reset(t.Context(), id, ada)
	require.NoError(t, err)
	require.True(t, reset)
}

// Until the note to undo is fired, such a task is blocked_by_failures, but no operator has to decide.
func TestTasks_WaitGoesOnUntilAFailureIsUndone(t *testing.T) {
	t.Parallel()
	pool, c := shop(t)
	_, err := c.Templates().Register(t.Context(), json.RawMessage(`{"namespace": "shop", "name": "booking", "on_failure": "fail", "steps": [
		{"name": "book", "compensate": "unbook"}, {"name": "pay", "dependencies": ["book"], "retry": {"max_attempts": 1}}]}`))
	require.NoError(t, err)
	created, err := c.Tasks().Create(t.Context(), executor.TaskRequest{Namespace: "shop", Name: "booking"})
	require.NoError(t, err)
	id := created.TaskUUID
	succeed(t, pool, "book")
	e := direct.New(pool)
	_, err = e.FailSteps(t.Context(), []direct.StepResult{{StepClaim: claim(t, e, "pay"), Error: "the bank is closed"}})
	require.NoError(t, err) // Orchestrate, which fires the note, comes later.

	task, err := c.Tasks().Get(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, state.TaskBlockedByFailures, task.State)
	require.False(t, task.Blocked)
	_, err = c.Tasks().WaitStep(t.Context(), id, "pay")
	require.ErrorIs(t, err, executor.ErrFailed)
	require.NotErrorIs(t, err, executor.ErrBlocked)
	short, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	_, err = c.Tasks().Wait(short, id)
	require.ErrorIs(t, err, context.DeadlineExceeded)

	_, err = e.Orchestrate(t.Context(), 100)
	require.NoError(t, err)
	succeed(t, pool, "unbook")
	_, err = c.Tasks().Wait(t.Context(), id)
	require.ErrorIs(t, err, executor.ErrFailed)
	require.NotErrorIs(t, err, executor.ErrBlocked)
	require.ErrorContains(t, err, `"pay" failed: the bank is closed`)
}

func TestTasks_WaitStepDoesNotWaitForTheTask(t *testing.T) {
	t.Parallel()
	_, c := shop(t)
	id := order(t, c, "A-1")
	charge, err := c.Tasks().Step(t.Context(), id, "charge")
	require.NoError(t, err)
	done, err := c.Operate().Complete(t.Context(), charge.WorkflowStepUUID, map[string]int{"paid": 12}, ada)
	require.NoError(t, err)
	require.True(t, done)

	step, err := c.Tasks().WaitStep(t.Context(), id, "charge")
	require.NoError(t, err)
	require.JSONEq(t, `{"paid": 12}`, string(step.Results))
	task, err := c.Tasks().Get(t.Context(), id)
	require.NoError(t, err)
	require.False(t, task.Complete)
}

func TestTasks_ThroughBlockedWaitsForARepair(t *testing.T) {
	t.Parallel()
	pool, c := shop(t)
	id := order(t, c, "A-1")
	fail(t, pool, "charge", "the bank is closed")
	waited := make(chan error, 1)
	go func() {
		_, err := c.Tasks().WaitStep(t.Context(), id, "charge", executor.WaitOptions{ThroughBlocked: true})
		waited <- err
	}()
	done, err := c.Operate().CompleteByName(t.Context(), id, "charge", "by hand", ada)
	require.NoError(t, err)
	require.True(t, done)
	require.NoError(t, <-waited)
}

// However many wait on a pool, one connection listens, and none when the last wait is over.
func TestTasks_WaitsOfAPoolShareOneConnection(t *testing.T) {
	t.Parallel()
	pool, c := shop(t)
	var tasks []uuid.UUID
	ended := make(chan error)
	for i := range 20 {
		id := order(t, c, string(rune('a'+i)))
		tasks = append(tasks, id)
		go func() {
			_, err := c.Tasks().Wait(t.Context(), id, executor.WaitOptions{PollInterval: time.Hour})
			ended <- err
		}()
	}
	listeners := func() (n int) {
		require.NoError(t, pool.QueryRow(t.Context(), `select count(*) from pg_stat_activity
			where datname = current_database() and query ilike '%sleeping%' and query not ilike '%pg_stat_activity%'`).Scan(&n))
		return n
	}
	require.Eventually(t, func() bool { return listeners() == 1 }, 30*time.Second, 10*time.Millisecond)
	for _, id := range tasks {
		_, err := c.Operate().Cancel(t.Context(), id, ada)
		require.NoError(t, err)
	}
	for range tasks {
		require.ErrorIs(t, <-ended, executor.ErrCancelled)
	}
	require.Eventually(t, func() bool { return listeners() == 0 }, 30*time.Second, 10*time.Millisecond)
}

func TestClient_OfATransactionTakesPartInIt(t *testing.T) {
	t.Parallel()
	pool, c := shop(t)
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	id := order(t, c.WithTx(tx), "A-1")
	_, err = c.Tasks().Get(t.Context(), id)
	require.ErrorIs(t, err, executor.ErrNotFound)
	require.NoError(t, tx.Commit(t.Context()))
	_, err = c.Tasks().Get(t.Context(), id)
	require.NoError(t, err)
}

func TestSchedulesAndLimits_AreSetAndDroppedByName(t *testing.T) {
	t.Parallel()
	_, c := shop(t)
	nightly := executor.Ref{Namespace: "shop", Name: "nightly"}
	_, err := c.Schedules().Set(t.Context(), executor.ScheduleRequest{
		Name: "nightly", Task: executor.TemplateRef{Namespace: "shop", Name: "order"}, Cron: "0 3 * * *",
	}, ada)
	require.NoError(t, err)
	require.Len(t, all(t, c.Schedules().List(t.Context(), "shop")), 1)
	next, err := c.SQL().NextRuns(t.Context(), nightly.Namespace, nightly.Name, 3)
	require.NoError(t, err)
	require.Len(t, next, 3)
	for _, change := range []func() (bool, error){
		func() (bool, error) { return c.Schedules().Pause(t.Context(), nightly, ada) },
		func() (bool, error) { return c.Schedules().Resume(t.Context(), nightly, ada) },
		func() (bool, error) { return c.Schedules().Delete(t.Context(), nightly, ada) },
	} {
		changed, err := change()
		require.NoError(t, err)
		require.True(t, changed)
	}
	_, err = c.Schedules().Set(t.Context(), executor.ScheduleRequest{Name: "n", Every: 1500 * time.Millisecond}, ada)
	require.ErrorIs(t, err, executor.ErrInvalid)
	require.ErrorContains(t, err, "whole seconds")

	bank := executor.Ref{Namespace: "shop", Name: "bank"}
	limit, err := c.Limits().Set(t.Context(), bank, executor.Bounds{Running: 3}, ada)
	require.NoError(t, err)
	require.EqualValues(t, 3, *limit.Concurrency)
	require.Nil(t, limit.Rate)
	dropped, err := c.Limits().Drop(t.Context(), bank, ada)
	require.NoError(t, err)
	require.True(t, dropped)

	entries, err := c.SQL().ListAdministration(t.Context(), sqlfn.ListAdministrationParams{Kind: "limits", Limit: 10})
	require.NoError(t, err)
	require.NotEmpty(t, entries)
	require.Equal(t, "ada", *entries[0].Actor)
	require.Equal(t, ada.Reason, *entries[0].Reason)
}

func TestAccess_MakesATokenAndShowsItsSecretOnce(t *testing.T) {
	t.Parallel()
	_, c := shop(t)
	secret, err := c.Access().CreateToken(t.Context(), executor.Token{Name: "ci", Role: "tasker_worker", Namespaces: []string{"shop"}}, ada)
	require.NoError(t, err)
	require.Regexp(t, "^tasker_", secret)
	require.Len(t, all(t, c.Access().Tokens(t.Context())), 1)
	revoked, err := c.Access().RevokeToken(t.Context(), "ci", ada)
	require.NoError(t, err)
	require.True(t, revoked)
}

// claim claims the next step for a handler.
func claim(t *testing.T, e *direct.Executor, handler string) direct.StepClaim {
	t.Helper()
	steps, err := e.ClaimSteps(t.Context(), direct.ClaimRequest{WorkerUUID: uuid.New(), Handlers: []string{handler}, Limit: 1})
	require.NoError(t, err)
	require.Len(t, steps, 1)
	return direct.StepClaim{StepUUID: steps[0].StepUUID, ClaimNo: steps[0].ClaimNo}
}

// succeed completes the next attempt at a step.
func succeed(t *testing.T, pool *pgxpool.Pool, handler string) {
	t.Helper()
	e := direct.New(pool)
	_, err := e.CompleteSteps(t.Context(), []direct.StepResult{{StepClaim: claim(t, e, handler)}})
	require.NoError(t, err)
	_, err = e.Orchestrate(t.Context(), 100)
	require.NoError(t, err)
}

// fail fails the next attempt at a step.
func fail(t *testing.T, pool *pgxpool.Pool, handler, message string) {
	t.Helper()
	e := direct.New(pool)
	_, err := e.FailSteps(t.Context(), []direct.StepResult{{StepClaim: claim(t, e, handler), Error: message}})
	require.NoError(t, err)
	_, err = e.Orchestrate(t.Context(), 100)
	require.NoError(t, err)
}

func TestDeadLetters_AreListedRequeuedAndResolved(t *testing.T) {
	t.Parallel()
	pool, c := shop(t)
	first, second := order(t, c, "A-1"), order(t, c, "A-2")
	e := direct.New(pool)
	var entries []uuid.UUID
	for _, task := range []uuid.UUID{first, second} {
		entry, err := e.CreateDLQEntry(t.Context(), sqlfn.CreateDLQEntryParams{TaskUUID: task, Reason: "manual_dlq"})
		require.NoError(t, err)
		entries = append(entries, entry)
	}
	require.Len(t, all(t, c.DeadLetters().List(t.Context(), executor.DeadLetterFilter{Namespace: "shop"})), 2)
	resolved, err := c.DeadLetters().Resolve(t.Context(), entries[1], executor.DLQManuallyResolved, executor.By{Actor: "ann", Reason: "it was paid by hand"})
	require.NoError(t, err)
	require.True(t, resolved)
	pending := all(t, c.DeadLetters().List(t.Context(), executor.DeadLetterFilter{Status: "pending"}))
	require.Len(t, pending, 1)
	require.Equal(t, first, pending[0].TaskUUID)
	got, err := c.DeadLetters().Get(t.Context(), entries[0])
	require.NoError(t, err)
	require.Equal(t, "pending", got.ResolutionStatus)
}

func TestFeedAndMonitor_ShowWhatThereIs(t *testing.T) {
	t.Parallel()
	_, c := shop(t)
	order(t, c, "A-1")
	_, err := c.Feed().Subscribe(t.Context(), executor.Subscription{Name: "billing", Filter: executor.FeedFilter{Kinds: []string{"task"}}}, ada)
	require.NoError(t, err)
	require.Len(t, all(t, c.Feed().List(t.Context())), 1)
	require.Empty(t, all(t, c.Feed().Dead(t.Context(), "billing")))
	gone, err := c.Feed().Unsubscribe(t.Context(), "billing", ada)
	require.NoError(t, err)
	require.True(t, gone)

	require.NotEmpty(t, all(t, c.Monitor().Queues(t.Context())))
	require.Empty(t, all(t, c.Monitor().Running(t.Context(), "shop")))
	require.Len(t, all(t, c.Monitor().Unserved(t.Context())), 1)
	_, err = c.Monitor().Health(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, all(t, c.Admin().Settings(t.Context())))
	require.NotEmpty(t, all(t, c.Admin().Duties(t.Context())))
	require.NotEmpty(t, all(t, c.Admin().Partitions(t.Context())))
	require.Len(t, all(t, c.Templates().List(t.Context(), "shop")), 1)
}

func TestSignals_GoToWaitsThatAreListed(t *testing.T) {
	t.Parallel()
	c := executor.NewClient(pgtest.New(t))
	_, err := c.Templates().Register(t.Context(), json.RawMessage(approval))
	require.NoError(t, err)
	key := executor.TaskKey{Namespace: "shop", Name: "order", IdentityKey: "A-1"}
	_, _, err = c.Signals().SendByKey(t.Context(), key, executor.Signal{Name: "paid"})
	require.ErrorIs(t, err, executor.ErrNotFound)
	task, delivery, err := c.Signals().SendByKey(t.Context(), key, executor.Signal{Name: "paid", IdempotencyKey: "1"}, executor.SignalStart{})
	require.NoError(t, err)
	require.Equal(t, executor.Kept, delivery)
	delivery, err = c.Signals().Send(t.Context(), task, executor.Signal{Name: "paid", IdempotencyKey: "1"})
	require.NoError(t, err)
	require.Equal(t, executor.Repeated, delivery)
	require.Len(t, all(t, c.Signals().List(t.Context(), task)), 1)
	require.NotEmpty(t, all(t, c.Signals().Waits(t.Context(), executor.WaitFilter{Namespace: "shop"})))
}
