package undostorm

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/enginetest"
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// order has compensations at three levels, a step without a compensation between them, and a map.
const order = `{"namespace": "storm", "name": "NAME", "identity_strategy": "always_unique", "on_failure": "POLICY", "steps": [
	{"name": "a", "compensate": "undo", "retry": {"max_attempts": 3, "base_seconds": 0.01, "backoff": "constant"}},
	{"name": "b", "compensate": "undo", "dependencies": ["a"], "retry": {"max_attempts": 2, "base_seconds": 0.01, "backoff": "constant"}},
	{"name": "c", "dependencies": ["a"], "retry": {"max_attempts": 2, "base_seconds": 0.01, "backoff": "constant"}},
	{"name": "line", "for_each": "$.lines", "compensate": "undo", "dependencies": ["c"], "retry": {"max_attempts": 2, "base_seconds": 0.01, "backoff": "constant"}},
	{"name": "d", "compensate": "undo", "dependencies": ["b", "line"], "retry": {"max_attempts": 2, "base_seconds": 0.01, "backoff": "constant"}},
	{"name": "e", "compensate": "undo", "retry": {"max_attempts": 2, "base_seconds": 0.01, "backoff": "constant"}},
	{"name": "f", "dependencies": ["d", "e"]}]}`

type storm struct {
	pool   *pgxpool.Pool
	lost   atomic.Int64
	handed sync.Map      // by the UUID of a compensation: the inputs that its newest claim handed out
	pause  time.Duration // between two sessions that are terminated
}

// PGTASKER_STORM_TASKS and PGTASKER_STORM_CRASHES make the storm longer. Without crashes the clock runs faster, so that leases end soon.
func TestStorm_UndoesEachStepOnceInReverseOrder(t *testing.T) {
	tasks, crashes := pgtest.Number("PGTASKER_STORM_TASKS", 12), pgtest.Number("PGTASKER_STORM_CRASHES", 0)
	s := &storm{pause: 100 * time.Millisecond}
	var crash func(context.Context) error
	if crashes > 0 {
		pool, server := pgtest.NewPrivate(t, pgtest.MaxConns(20))
		s.pool, crash = pool, server.Crash
	} else {
		s.pool, s.pause = pgtest.New(t, pgtest.MaxConns(8)), 300*time.Millisecond
		require.NoError(t, enginetest.Accelerate(t.Context(), s.pool, 20))
	}
	pool := s.pool
	for _, policy := range []string{"continue", "halt", "fail"} {
		_, err := direct.New(pool).RegisterTaskTemplate(t.Context(),
			json.RawMessage(strings.NewReplacer("NAME", policy, "POLICY", policy).Replace(order)))
		require.NoError(t, err)
		_, err = pool.Exec(t.Context(), `select from tasker.create_tasks('storm', $1,
			array(select jsonb_build_object('lines', array[i, i + 1]) from generate_series(1, $2) as i))`, policy, tasks/3)
		require.NoError(t, err)
		_, err = pool.Exec(t.Context(), `select from tasker.create_tasks('storm', $1,
			array(select jsonb_build_object('lines', array[i, i + 1], 'late', true) from generate_series(1, $2) as i), p_deadline => tasker.clock() + interval '2 s')`,
			policy, tasks/12)
		require.NoError(t, err)
	}

	ctx, stop := context.WithTimeout(t.Context(), 20*time.Minute)
	defer stop()
	working, done := context.WithCancel(ctx)
	defer done()
	var others sync.WaitGroup
	workers := 8
	if crashes == 0 {
		workers = 3
	}
	for range workers {
		others.Go(func() { s.work(working) })
	}
	others.Go(func() { s.operate(working) })
	others.Go(func() { s.terminate(working) })
	all := tasks/3*3 + tasks/12*3
	for i := range crashes {
		s.awaitEnd(ctx, t, all*(i+1)/(crashes+2))
		require.NoError(t, crash(ctx))
	}
	s.awaitEnd(ctx, t, all)
	done()
	others.Wait()
	pool.Reset() // it may hold sessions that the storm ended
	s.check(t)
	require.Positive(t, replaytest.Recorded(t, pool))
}

func (s *storm) awaitEnd(ctx context.Context, t *testing.T, tasks int) {
	t.Helper()
	require.Eventually(t, func() bool {
		var ended int
		err := s.pool.QueryRow(ctx, "select count(*) from tasker.tasks where complete").Scan(&ended)
		return err == nil && ended >= tasks
	}, 10*time.Minute, 20*time.Millisecond, "%d tasks end", tasks)
}

// work completes, fails, releases or abandons the steps that it gets. Compensations fail, too, but not for good.
func (s *storm) work(ctx context.Context) {
	var held []direct.StepResult
	worker := uuid.New()
	for ctx.Err() == nil {
		reply, err := direct.New(s.pool).ExchangeSteps(ctx, direct.Exchange{Results: held, ClaimRequest: direct.ClaimRequest{
			WorkerUUID: worker, Namespaces: []string{"storm"}, Limit: 1 + rand.IntN(6), Lease: time.Second,
		}})
		if err != nil {
			time.Sleep(10 * time.Millisecond)
			continue
		}
		held = nil
		for _, c := range reply.Claimed {
			claim := direct.StepClaim{StepUUID: c.StepUUID, ClaimNo: c.ClaimNo}
			undoes := c.Handler == "undo" && strings.HasPrefix(c.Name, "undo ")
			if undoes {
				s.handed.Store(c.StepUUID, c.Inputs)
			}
			switch n := rand.IntN(40); {
			case n == 0:
				s.lost.Add(1)
			case n == 1:
				_, _ = direct.New(s.pool).ReleaseSteps(ctx, []direct.StepClaim{claim})
			case n < 8 && (!undoes || c.Attempt < c.MaxAttempts):
				held = append(held, direct.StepResult{StepClaim: claim, Error: "try again"})
			default:
				result, _ := json.Marshal(map[string]any{"step": c.StepUUID, "n": rand.IntN(1000)})
				held = append(held, direct.StepResult{StepClaim: claim, Results: result})
			}
		}
		if len(held) == 0 {
			time.Sleep(time.Duration(2+rand.IntN(10)) * time.Millisecond)
		}
	}
}

// operate cancels some tasks, gives up or cancels blocked ones, and retries compensations that lost too many workers.
func (s *storm) operate(ctx context.Context) {
	for ctx.Err() == nil {
		time.Sleep(s.pause / 10)
		_, _ = s.pool.Exec(ctx, `select tasker.cancel_task(t.task_uuid, 'storm')
			from (select t.task_uuid from tasker.tasks as t where not t.complete and random() < 0.2 order by random() limit 1) as t`)
		_, _ = s.pool.Exec(ctx, `select case when random() < 0.5 then tasker.give_up_task(t.task_uuid, 'storm') else tasker.cancel_task(t.task_uuid, 'storm') end
			from (select t.task_uuid from tasker.tasks as t where t.state = 'blocked_by_failures' and coalesce(t.undo ->> 'phase', '') = '' order by random() limit 1) as t`)
		_, _ = s.pool.Exec(ctx, `select tasker.retry_step(s.workflow_step_uuid, 'storm')
			from tasker.workflow_steps as s join tasker.tasks as t using (task_uuid)
			where s.undo_no is not null and s.state = 'error' and not t.complete limit 1`)
	}
}

// terminate ends a session now and then.
func (s *storm) terminate(ctx context.Context) {
	for ctx.Err() == nil {
		time.Sleep(s.pause)
		_, _ = s.pool.Exec(ctx, `select pg_terminate_backend(a.pid) from pg_stat_activity as a
			where a.datname = current_database() and a.pid <> pg_backend_pid() order by random() limit 1`)
	}
}

// step is a step at the end of the storm, with the times of its first and last transition.
type step struct {
	task        uuid.UUID
	no          int
	name, state string
	compensable bool
	claimed     bool
	undoes      *int
	results     *string
	inputs      struct {
		Unknown bool `json:"result_unknown"`
	}
	handed      json.RawMessage // the inputs of a compensation's newest claim
	first, last time.Time
	parents     []int
}

// check asserts that all steps with a compensation that were complete or had begun were undone, and no others.
func (s *storm) check(t *testing.T) {
	t.Helper()
	var problems []string
	rows, err := s.pool.Query(t.Context(), `select p.object || ': ' || p.problem from tasker.check_integrity() as p`)
	require.NoError(t, err)
	problems, err = pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Empty(t, problems)
	count := func(sql string) (n int) {
		require.NoError(t, s.pool.QueryRow(t.Context(), sql).Scan(&n))
		return n
	}
	require.Zero(t, count("select count(*) from tasker.timers"), "nothing is due")
	require.Zero(t, count("select count(*) from tasker.step_queue"), "nothing is queued")
	require.Zero(t, count(`select count(*) from (select from tasker.task_transition_log
		where event in ('Cancel', 'GiveUp', 'Timeout') group by task_uuid having count(*) > 1) as x`), "each task ends once")

	rows, err = s.pool.Query(t.Context(), `select s.task_uuid, s.step_no, s.name, s.state::text,
			s.compensate_uuid is not null and s.for_each is null, s.claim_no > 0, s.undo_no, s.results::text, s.inputs,
			l.first, l.last, array(select e.from_step_no from tasker.workflow_step_edges as e where e.task_uuid = s.task_uuid and e.to_step_no = s.step_no)
		from tasker.workflow_steps as s
		left join lateral (select min(l.created_at) as first, max(l.created_at) as last from tasker.workflow_step_transition_log as l
			where l.task_uuid = s.task_uuid and l.step_no = s.step_no) as l on true`)
	require.NoError(t, err)
	tasks := map[uuid.UUID]map[int]*step{}
	for rows.Next() {
		one, inputs, first, last := &step{}, []byte{}, (*time.Time)(nil), (*time.Time)(nil)
		require.NoError(t, rows.Scan(&one.task, &one.no, &one.name, &one.state, &one.compensable, &one.claimed, &one.undoes,
			&one.results, &inputs, &first, &last, &one.parents))
		require.NoError(t, json.Unmarshal(inputs, &one.inputs))
		id := one.task
		id[14], id[15] = byte(one.no>>8), byte(one.no)
		if found, claimed := s.handed.Load(id); claimed {
			one.handed = found.(json.RawMessage)
		}
		if first != nil {
			one.first, one.last = *first, *last
		}
		if tasks[one.task] == nil {
			tasks[one.task] = map[int]*step{}
		}
		tasks[one.task][one.no] = one
	}
	require.NoError(t, rows.Err())

	states := map[string]int{}
	undone := 0
	for id, steps := range tasks {
		var state string
		require.NoError(t, s.pool.QueryRow(t.Context(), "select state::text from tasker.tasks where task_uuid = $1", id).Scan(&state))
		states[state]++
		undone += requireUndone(t, state, steps)
	}
	t.Logf("%d tasks %v, %d steps undone, %d claims lost", len(tasks), states, undone, s.lost.Load())
	require.NotZero(t, undone)
}

func requireUndone(t *testing.T, state string, steps map[int]*step) int {
	t.Helper()
	by := map[int]*step{}
	for _, u := range steps {
		if u.undoes != nil {
			require.Nil(t, by[*u.undoes], "%s: %s is undone once", u.task, u.name)
			by[*u.undoes] = u
		}
	}
	for no, one := range steps {
		if one.undoes != nil {
			continue
		}
		u := by[no]
		if state == "complete" || !one.compensable || one.state != "complete" && !one.claimed {
			require.Nil(t, u, "%s: %s, %s, is not undone", one.task, one.name, one.state)
			continue
		}
		require.NotNil(t, u, "%s (%s): %s, %s, is undone", one.task, state, one.name, one.state)
		require.Equal(t, "complete", u.state, "%s: %s", one.task, u.name)
		require.Equal(t, one.state != "complete", u.inputs.Unknown, "%s: %s", one.task, u.name)
		if one.state == "complete" {
			require.NotNil(t, u.handed, "%s: %s was handed out to a worker", one.task, u.name)
			var got struct{ Result json.RawMessage }
			require.NoError(t, json.Unmarshal(u.handed, &got))
			require.JSONEq(t, *one.results, string(got.Result), "%s: %s", one.task, u.name)
		}
		// Steps below it in the graph were undone before it.
		for above := range ancestors(steps, no) {
			if a := by[above]; a != nil {
				require.False(t, a.first.Before(u.last), "%s: %s began before %s ended", one.task, a.name, u.name)
			}
		}
	}
	for _, u := range by {
		for _, one := range steps {
			if one.undoes == nil && !one.last.IsZero() {
				require.False(t, u.first.Before(one.last), "%s: %s began before %s ended", u.task, u.name, one.name)
			}
		}
	}
	return len(by)
}

func ancestors(steps map[int]*step, no int) map[int]bool {
	found := map[int]bool{}
	for next := []int{no}; len(next) > 0; {
		parents := steps[next[0]].parents
		next = next[1:]
		for _, p := range parents {
			if !found[p] {
				found[p] = true
				next = append(next, p)
			}
		}
	}
	return found
}
