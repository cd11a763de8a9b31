package modeltest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/enginetest"
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
	"github.com/pgtasker/pgtasker/state"
)

const (
	crowdSize = 6
	// speed is the speed of the clock. A lease of 30 seconds ends after 300 ms.
	speed = 100
	// endsWithin limits how long a crowd may take on a slow machine.
	endsWithin = time.Minute
)

func TestEngine_EndsAsTheModelSaysAfterManySessions(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(crowdSize+2))
	_, err := enginetest.Prepare(t.Context(), pool)
	require.NoError(t, err)
	require.NoError(t, enginetest.Accelerate(t.Context(), pool, speed))
	setMaxLost(t, pool, 10000) // A lost worker must not change how a step ends.

	rounds(t, 3, 400, func(t *testing.T, seed uint64, r *rand.Rand) {
		c := newCrowd(t, pool, seed, r, (*template).decideWaits)
		c.run(nil)
		c.requireOutcomes()
		c.requireSound()
	})
	replaytest.Recorded(t, pool)
}

func TestEngine_LeavesNothingOpenAfterManySessionsAndOperators(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(crowdSize+4))
	_, err := enginetest.Prepare(t.Context(), pool)
	require.NoError(t, err)
	require.NoError(t, enginetest.Accelerate(t.Context(), pool, speed))
	setMaxLost(t, pool, maxLost)

	rounds(t, 3, 400, func(t *testing.T, seed uint64, r *rand.Rand) {
		c := newCrowd(t, pool, seed, r, nil)
		c.run([]operator{{c, 1}, {c, 2}})
		c.requireSound()
		var open int
		require.NoError(t, pool.QueryRow(t.Context(), `
			select count(*) from tasker.tasks as t where t.task_uuid = any ($1) and not t.complete`, c.ids).Scan(&open))
		require.Zero(t, open)
		left, err := enginetest.Remains(t.Context(), pool)
		require.NoError(t, err)
		require.Zero(t, left)
	})
	replaytest.Recorded(t, pool)
}

// crowd is a set of sessions that work on the same tasks.
type crowd struct {
	*testing.T
	pool  *pgxpool.Pool
	seed  uint64
	plan  *template
	ids   []uuid.UUID
	index map[uuid.UUID]int
	// resolves says that a session which finds a blocked task resets the task or gives it up.
	resolves bool
}

func newCrowd(t *testing.T, pool *pgxpool.Pool, seed uint64, r *rand.Rand, change func(*template, *rand.Rand)) *crowd {
	t.Helper()
	kind := enginetest.Namespaces[r.IntN(len(enginetest.Namespaces))]
	c := &crowd{
		T: t, pool: pool, seed: seed, index: map[uuid.UUID]int{},
		plan: randomTemplate(r, kind.Name, fmt.Sprintf("t%d", seed)),
	}
	c.plan.keyed = false
	if change != nil {
		change(c.plan, r)
	}
	e := direct.New(pool)
	_, err := e.RegisterTaskTemplate(t.Context(), c.plan.json())
	require.NoError(t, err)
	contexts := make([]json.RawMessage, 5+r.IntN(10))
	for i := range contexts {
		contexts[i] = fmt.Appendf(nil, `{"task": %q}`, c.taskKey(i))
	}
	made, err := e.CreateTasks(t.Context(), executor.TasksRequest{
		Namespace: c.plan.namespace, Name: c.plan.name, Contexts: contexts,
		TaskOptions: executor.TaskOptions{Deferred: r.IntN(3) == 0},
	})
	require.NoError(t, err)
	for i, m := range made {
		c.ids = append(c.ids, m.TaskUUID)
		c.index[m.TaskUUID] = i
	}
	return c
}

// outcome returns the result of an attempt at a step. It is the same for every session and at every time.
func (c *crowd) outcome(task uuid.UUID, n, attempt int) report {
	r := rand.New(rand.NewPCG(c.seed, uint64(c.index[task]*1_000_000+n*1000+attempt)))
	switch chance := r.IntN(10); {
	case chance < 1:
		return report{permanent: true}
	case chance < 3:
		return report{}
	}
	return report{results: new(randomResults(r))}
}

// run lets the crowd work until every task has ended, or is blocked if there are no operators.
func (c *crowd) run(operators []operator) {
	c.Helper()
	c.resolves = len(operators) > 0
	ctx, cancel := context.WithTimeout(c.Context(), endsWithin)
	defer cancel()
	var all, operating sync.WaitGroup
	failures := make(chan error, crowdSize+len(operators)+senders)
	operated := make(chan struct{})
	worked := make(chan struct{})
	for _, o := range operators {
		operating.Go(func() {
			if err := o.run(ctx); err != nil {
				failures <- fmt.Errorf("operator: %w", err)
				cancel()
			}
		})
	}
	all.Go(func() {
		operating.Wait()
		close(operated)
	})
	var working sync.WaitGroup
	for n := range senders {
		all.Go(func() {
			w := &sender{crowd: c, r: rand.New(rand.NewPCG(c.seed, uint64(n+2000)))}
			if err := w.run(ctx, worked); err != nil {
				failures <- fmt.Errorf("sender %d: %w", n, err)
				cancel()
			}
		})
	}
	for n := range crowdSize {
		working.Go(func() {
			w := &worker{crowd: c, r: rand.New(rand.NewPCG(c.seed, uint64(n+1))), id: uuid.New()}
			if err := w.run(ctx, operated); err != nil {
				failures <- fmt.Errorf("worker %d: %w", n, err)
				cancel()
			}
		})
	}
	working.Wait()
	close(worked)
	all.Wait()
	close(failures)
	for err := range failures {
		var refused *pgconn.PgError
		if errors.As(err, &refused) {
			c.Log(refused.Detail, refused.Where)
		}
		c.logOpen()
		require.NoError(c, err)
	}
}

// logOpen logs the tasks that have not ended.
func (c *crowd) logOpen() {
	c.Helper()
	rows, err := c.pool.Query(c.Context(), `
		select format('%s is %s: %s, at %s', t.task_uuid, t.state, (
		         select string_agg(format('%s %s until %s, row %s', s.name, s.state, s.lease_until, q), '; ')
		           from tasker.workflow_steps as s
		           left join tasker.step_queue as q on q.task_uuid = s.task_uuid and q.step_no = s.step_no
		          where s.task_uuid = t.task_uuid and s.state not in ('complete', 'cancelled', 'resolved_manually')), tasker.clock())
		  from tasker.tasks as t
		 where t.task_uuid = any ($1) and not t.complete`, c.ids)
	require.NoError(c, err)
	defer rows.Close()
	for rows.Next() {
		var line string
		require.NoError(c, rows.Scan(&line))
		c.Log(line)
	}
}

// worker is one session that works as several workers: it claims, reports, loses, repeats and releases steps.
type worker struct {
	*crowd
	r    *rand.Rand
	id   uuid.UUID
	old  []direct.StepResult
	hand []gen.ClaimedStep
}

func (w *worker) run(ctx context.Context, operated <-chan struct{}) error {
	conn, err := w.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	e := direct.New(conn)
	for {
		if err := w.turn(ctx, e); err != nil {
			return err
		}
		if len(w.hand) > 0 {
			continue
		}
		if _, err := e.Orchestrate(ctx, 1+int32(w.r.IntN(20))); err != nil {
			return err
		}
		select {
		case <-operated:
		default:
			continue
		}
		open, err := w.unblock(ctx, e)
		if err != nil || !open {
			return err
		}
	}
}

// turn reports the steps that the worker holds, with a random outcome, and claims new steps.
func (w *worker) turn(ctx context.Context, e *direct.Executor) error {
	var results []direct.StepResult
	var back, keep []direct.StepClaim
	for _, s := range w.hand {
		c := direct.StepClaim{StepUUID: s.StepUUID, ClaimNo: s.ClaimNo}
		switch w.r.IntN(20) {
		case 0: // lost
			continue
		case 1:
			back = append(back, c)
			continue
		case 2:
			keep = append(keep, c)
		}
		results = append(results, w.result(s))
	}
	if len(keep) > 0 {
		if _, err := e.ExtendLeases(ctx, keep, time.Minute); err != nil {
			return err
		}
	}
	if len(back) > 0 {
		if _, err := e.ReleaseSteps(ctx, back); err != nil {
			return err
		}
	}
	// Some reports are sent again: alone, in the same call, or much later.
	if w.r.IntN(4) == 0 && len(w.old) > 0 {
		for i := range min(len(w.old), 5) {
			late := w.old[w.r.IntN(len(w.old))]
			if w.r.IntN(2) == 0 && i == 0 {
				if _, err := w.finish(ctx, e, []direct.StepResult{late}, 0); err != nil {
					return err
				}
				continue
			}
			if !contains(results, late.StepUUID) {
				results = append(results, late)
			}
		}
	}
	w.old = append(w.old, results...)
	claimed, err := w.finish(ctx, e, results, w.r.IntN(9))
	w.hand = claimed
	return err
}

func contains(results []direct.StepResult, id uuid.UUID) bool {
	for _, r := range results {
		if r.StepUUID == id {
			return true
		}
	}
	return false
}

func (w *worker) result(s gen.ClaimedStep) direct.StepResult {
	o := w.outcome(s.TaskUUID, int(s.StepNo)-1, int(s.Attempt))
	r := direct.StepResult{StepClaim: direct.StepClaim{StepUUID: s.StepUUID, ClaimNo: s.ClaimNo}}
	if o.results == nil {
		r.Error, r.Permanent = "it went wrong", o.permanent
		return r
	}
	r.Results = o.results.json()
	return r
}

// finish sends results again until no answer is "busy". Its first call also claims steps.
func (w *worker) finish(
	ctx context.Context, e *direct.Executor, results []direct.StepResult, limit int,
) ([]gen.ClaimedStep, error) {
	var claimed []gen.ClaimedStep
	for {
		reply, err := e.ExchangeSteps(ctx, direct.Exchange{
			Results:      results,
			ClaimRequest: direct.ClaimRequest{WorkerUUID: w.id, Limit: limit, Lease: 30 * time.Second},
		})
		if err != nil {
			return nil, err
		}
		if len(reply.Claimed) > limit {
			return nil, fmt.Errorf("%d steps were handed out, and %d were asked for", len(reply.Claimed), limit)
		}
		claimed = append(claimed, reply.Claimed...)
		var busy []direct.StepResult
		for i, a := range reply.Answers {
			switch a.Answer {
			case "busy":
				busy = append(busy, results[i])
			case "not_found", "too_large":
				return nil, fmt.Errorf("step %s: %s", a.StepUUID, a.Answer)
			}
		}
		if len(busy) == 0 {
			return claimed, nil
		}
		results, limit = busy, 0
	}
}

// unblock reports whether a task is still open, and acts as an operator would.
func (w *worker) unblock(ctx context.Context, e *direct.Executor) (open bool, err error) {
	if !w.resolves {
		err = w.pool.QueryRow(ctx, `
			select exists (select from tasker.tasks as t where t.task_uuid = any ($1) and not t.complete and t.state <> 'blocked_by_failures')`,
			w.ids).Scan(&open)
		return open, err
	}
	if _, err := e.ResumeNamespace(ctx, w.plan.namespace); err != nil {
		return false, err
	}
	rows, err := w.pool.Query(ctx, `
		select t.task_uuid, t.state::text from tasker.tasks as t where t.task_uuid = any ($1) and not t.complete`, w.ids)
	if err != nil {
		return false, err
	}
	states := map[uuid.UUID]string{}
	for rows.Next() {
		var id uuid.UUID
		var s string
		if err := rows.Scan(&id, &s); err != nil {
			return false, err
		}
		states[id] = s
	}
	if rows.Err() != nil {
		return false, rows.Err()
	}
	for id, s := range states {
		if s == string(state.TaskWaitingForDependencies) {
			if err := w.endWaits(ctx, e, id); err != nil {
				return false, err
			}
		}
		if s != string(state.TaskBlockedByFailures) {
			continue
		}
		switch w.r.IntN(3) {
		case 0:
			_, err = e.ResetTask(ctx, id, "", "")
		case 1:
			_, err = e.GiveUpTask(ctx, id, "", "")
		default:
			_, err = e.ResolveTaskManually(ctx, id, "", "")
		}
		// Another session may have acted first.
		if err != nil && !errors.Is(err, executor.ErrConflict) {
			return false, err
		}
	}
	return len(states) > 0, nil
}

// expect returns the state that a task must have reached if no operator interfered.
func (c *crowd) expect(id uuid.UUID) *task {
	t := newTask(c.plan, time.Now)
	t.halt = false
	var all []int
	for n := range t.steps {
		all = append(all, n)
	}
	// A skipped step may let other steps run.
	for len(t.decide(all)) > 0 {
		for n := range t.steps {
			s := &t.steps[n]
			switch s.state {
			case state.StepSuspended:
				c.endWait(t, id, n)
			case state.StepEnqueued:
				for s.state != state.StepComplete && s.state != state.StepError {
					s.attempts++
					o := c.outcome(id, n, s.attempts)
					s.results = o.results
					s.finish(o.results == nil, o.permanent)
				}
			}
		}
	}
	t.evaluate()
	return t
}

// untold matches the fields that the model does not know, in the result of a step that took a signal or an event.
var untold = regexp.MustCompile(`, "sent_at": "[0-9A-Z:.-]{27}"|, "event_uuid": "[0-9a-f-]{36}"|"event_uuid": "[0-9a-f-]{36}", `)

func (c *crowd) requireOutcomes() {
	c.Helper()
	e := direct.New(c.pool)
	for i, id := range c.ids {
		want := c.expect(id)
		detail, err := e.GetTask(c.Context(), id)
		require.NoError(c, err)
		require.Equal(c, want.state, detail.State, "task %d", i)
		rows, err := e.ListSteps(c.Context(), id)
		require.NoError(c, err)
		for n, row := range rows {
			where := fmt.Sprintf("step %d of task %d, which should be %+v", n, i, want.steps[n])
			if c.plan.halt && want.state == state.TaskBlockedByFailures && row.State == state.StepPending {
				continue // It depends on chance how far other steps came before the failure.
			}
			require.Equal(c, want.steps[n].state, row.State, where)
			require.EqualValues(c, want.steps[n].attempts, row.Attempts, where)
			requireJSON(c, want.steps[n].results, untold.ReplaceAll(row.Results, nil))
		}
	}
}

func (c *crowd) requireSound() {
	c.Helper()
	found, err := enginetest.Violations(c.Context(), c.pool, c.ids)
	require.NoError(c, err)
	require.Empty(c, found, strings.Join(found, "\n"))
}
