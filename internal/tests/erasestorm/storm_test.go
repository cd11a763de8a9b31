package erasestorm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/enginetest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

var templates = []string{
	`{"namespace": "storm", "name": "leaf", "on_failure": "fail", "identity_strategy": "always_unique", "steps": [{"name": "a", "retry": {"max_attempts": 1}}]}`,
	`{"namespace": "storm", "name": "top", "on_failure": "fail", "identity_strategy": "always_unique", "steps": [
	  {"name": "begin", "retry": {"max_attempts": 2, "base_seconds": 0.1}},
	  {"name": "child", "dependencies": ["begin"], "task": {"name": "leaf"}},
	  {"name": "wait", "dependencies": ["begin"], "await": {"signal": "go"}},
	  {"name": "each", "dependencies": ["begin"], "for_each": "$.lines"},
	  {"name": "end", "dependencies": ["child", "wait", "each"], "join": "settled"}]}`,
}

// A run whose text begins with gone is erased as soon as it has ended. A run whose text begins with stay is not erased.
const gone, stay = "gone-", "stay-"

// storm is one run. PGTASKER_STORM_TASKS and PGTASKER_STORM_CRASHES make it longer.
type storm struct {
	pool      *pgxpool.Pool
	day       sync.RWMutex // held for writing while the clock moves, so that each call has one instant
	erased    atomic.Int64
	refused   atomic.Int64
	deadlocks sync.Map
}

func TestStorm_NothingOfAnErasedRunIsLeftAndNothingOfAnotherIsMissing(t *testing.T) {
	tasks, crashes := pgtest.Number("PGTASKER_STORM_TASKS", 60), pgtest.Number("PGTASKER_STORM_CRASHES", 1)
	const days = 5
	pool, server := pgtest.NewPrivate(t, pgtest.MaxConns(16))
	s := &storm{pool: pool}
	for _, sql := range []string{"select tasker_test.start_year('2050-03-02 12:00+00', '1 day', '2 days')", "select tasker.note_objects()"} {
		_, err := pool.Exec(t.Context(), sql)
		require.NoError(t, err, sql)
	}
	for _, template := range templates {
		_, err := direct.New(pool).RegisterTaskTemplate(t.Context(), json.RawMessage(template))
		require.NoError(t, err)
	}

	ctx, stop := context.WithTimeout(t.Context(), 80*time.Minute)
	defer stop()
	working, done := context.WithCancel(ctx)
	defer done()
	var others, meddlers sync.WaitGroup
	for range 3 {
		others.Go(func() { s.until(working, s.work()) })
	}
	others.Go(func() { s.until(working, s.signal) })
	others.Go(func() {
		for working.Err() == nil {
			s.pass(working, time.Second) // for retries and lost claims
			time.Sleep(100 * time.Millisecond)
		}
	})
	meddling, calm := context.WithCancel(ctx)
	defer calm()
	for range 2 {
		meddlers.Go(func() { s.until(meddling, s.erase) })
	}
	meddlers.Go(func() { s.until(meddling, s.retain) })
	meddlers.Go(func() { s.until(meddling, s.terminate) })
	for n := range tasks {
		if crashes > 0 && n%max(tasks/crashes, 1) == tasks/crashes/2 {
			require.NoError(t, server.Crash(ctx))
		}
		s.create(ctx, n)
		if (n+1)%max(tasks/days, 1) == 0 && n+1 < tasks {
			s.pass(ctx, 24*time.Hour)
		}
	}
	calm()
	meddlers.Wait()
	pool.Reset() // it may hold sessions that the storm ended

	count := func(sql string, arguments ...any) (n int) {
		t.Helper()
		require.NoError(t, pool.QueryRow(t.Context(), sql, arguments...).Scan(&n), sql)
		return n
	}
	require.Eventually(t, func() bool {
		var open int
		err := pool.QueryRow(ctx, `select count(*) from tasker.tasks where not complete`).Scan(&open)
		return err == nil && open == 0
	}, 20*time.Minute, 100*time.Millisecond, "every task ends")
	done()
	others.Wait()
	require.Eventually(t, func() bool {
		var left int
		s.erase(ctx)
		err := pool.QueryRow(ctx, `select count(*) from tasker.tasks where erased_at is null and starts_with(context ->> 'text', $1)`, gone).Scan(&left)
		return err == nil && left == 0
	}, 20*time.Minute, time.Millisecond, "every run that is to be erased can be")

	require.Eventually(t, func() bool {
		var held string
		err := pool.QueryRow(ctx, "select coalesce(string_agg(r.outcome || ': ' || r.detail, ', '), '') from tasker.apply_retention() as r").Scan(&held)
		if err != nil || held != "" {
			t.Log("retention:", held, err)
		}
		s.pass(ctx, time.Minute)
		return err == nil && held == ""
	}, time.Minute, 50*time.Millisecond, "no range that is too old is held")

	t.Logf("%d tasks made; %d left, of which %d are erased; %d erasures, %d refused or lost; %d ranges left", tasks,
		count("select count(*) from tasker.tasks"), count("select count(*) from tasker.tasks where erased_at is not null"),
		s.erased.Load(), s.refused.Load(), count("select count(*) from tasker.partition_ranges"))
	s.deadlocks.Range(func(_, what any) bool {
		t.Error("deadlock:", what)
		return true
	})
	require.Positive(t, count("select count(*) from tasker.tasks where erased_at is not null"))
	require.Positive(t, count("select count(*) from tasker.erasures as e where not exists (select from tasker.tasks as t where t.task_uuid = e.task_uuid)"),
		"retention has dropped erased runs")
	require.Zero(t, count("select count(*) from tasker.tasks where erased_at is null and starts_with(context ->> 'text', $1)", gone))
	require.Greater(t, len(s.tablesWith(t, stay)), 2, "tables that have something of the other runs: so it looks")
	require.Empty(t, s.tablesWith(t, gone), "tables that have something of an erased run")
	s.requireWhole(t)
	problems, err := direct.New(pool).CheckIntegrity(t.Context(), time.Time{}, time.Time{}, 0)
	require.NoError(t, err)
	require.Empty(t, problems)
}

// requireWhole requires that every other run still has its context, and the results, errors and signals of its steps.
func (s *storm) requireWhole(t *testing.T) {
	t.Helper()
	rows, err := s.pool.Query(t.Context(), `
		select format('%s: %s', t.context ->> 'text', v.what)
		  from tasker.tasks as t
		 cross join lateral (
		   select 'its context' as what where t.context ->> 'text' is null
		    union all
		   select format('step %s, %s: %s %s', s.name, s.state, s.results, s.last_error)
		     from tasker.workflow_steps as s
		    where s.task_uuid = t.task_uuid
		      and s.name not in ('child', 'end', 'each')
		      and s.state in ('complete', 'error')
		      and coalesce(s.last_error, s.results::text) not like '%' || (t.context ->> 'text') || '%'
		    union all
		   select 'its signal'
		     from tasker.task_signals as g
		    where g.task_uuid = t.task_uuid
		      and g.payload ->> 'text' is distinct from t.context ->> 'text'
		 ) as v
		 where t.erased_at is null`)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var what string
		require.NoError(t, rows.Scan(&what))
		t.Errorf("of a run that was not erased is missing %s", what)
	}
	require.NoError(t, rows.Err())
}

// tablesWith returns the tables of the engine that contain a text in any row.
func (s *storm) tablesWith(t *testing.T, text string) (found []string) {
	t.Helper()
	var tables []string
	require.NoError(t, s.pool.QueryRow(t.Context(), `
		select array_agg(format('%I.%I', c.relnamespace::regnamespace, c.relname))
		  from pg_class as c
		 where c.relnamespace::regnamespace::text in ('tasker', 'tasklib') and c.relkind in ('r', 'p') and not c.relispartition`).Scan(&tables))
	require.Greater(t, len(tables), 50)
	for _, table := range tables {
		var n int
		require.NoError(t, s.pool.QueryRow(t.Context(), fmt.Sprintf("select count(*) from %s as x where x::text like '%%' || $1 || '%%'", table), text).Scan(&n))
		if n > 0 {
			found = append(found, fmt.Sprintf("%s: %d rows", table, n))
		}
	}
	slices.Sort(found)
	return found
}

// until calls a function again and again, at the instants of one day.
func (s *storm) until(ctx context.Context, do func(context.Context)) {
	for ctx.Err() == nil {
		s.day.RLock()
		do(ctx)
		s.day.RUnlock()
		time.Sleep(time.Duration(rand.IntN(20)) * time.Millisecond)
	}
}

// note keeps deadlocks. Terminated sessions, and a server that is down for a while, are no errors here.
func (s *storm) note(err error) {
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Code == "40P01" {
		s.deadlocks.Store(pg, pg.Detail+" "+pg.Where)
	}
}

// create creates a run. If the answer is lost, create repeats the call, which finds the run by its identity.
func (s *storm) create(ctx context.Context, n int) {
	text := fmt.Sprintf("%s%05d.", []string{gone, stay}[n%2], n)
	body, _ := json.Marshal(map[string]any{"text": text, "lines": []string{text + "1", text + "2"}})
	for ctx.Err() == nil {
		s.day.RLock()
		_, err := direct.New(s.pool).CreateTask(ctx, executor.TaskRequest{
			Namespace: "storm", Name: "top", Context: body,
			TaskOptions: executor.TaskOptions{Tags: []string{[]string{"odd", "even"}[n%2]}, Headers: json.RawMessage(`{"text": "` + text + `"}`)},
		})
		s.day.RUnlock()
		if err == nil {
			return
		}
		s.note(err)
		time.Sleep(20 * time.Millisecond)
	}
}

// pass moves the clock on, and makes the ranges of its new time.
func (s *storm) pass(ctx context.Context, d time.Duration) {
	s.day.Lock()
	defer s.day.Unlock()
	for ctx.Err() == nil {
		if _, err := enginetest.Pass(ctx, s.pool, d); err != nil {
			time.Sleep(20 * time.Millisecond)
			continue
		}
		for ctx.Err() == nil {
			if d < time.Hour {
				return
			}
			if _, err := s.pool.Exec(ctx, "select from tasker.ensure_partitions()"); err == nil {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
}

// work returns a function that claims steps and records their results, which have the text of the run. It fails one
// step in ten.
func (s *storm) work() func(context.Context) {
	var held []direct.StepResult
	worker, request := uuid.New(), uuid.New()
	return func(ctx context.Context) {
		reply, err := direct.New(s.pool).ExchangeSteps(ctx, direct.Exchange{
			Results: held, ClaimRequest: direct.ClaimRequest{WorkerUUID: worker, RequestUUID: request, Limit: 1 + rand.IntN(8)},
		})
		if err != nil {
			s.note(err) // The same request again gets the same claims.
			return
		}
		held, request = nil, uuid.New()
		for _, c := range reply.Claimed {
			var given struct {
				Text string `json:"text"`
			}
			_ = json.Unmarshal(c.Context, &given)
			result := direct.StepResult{StepClaim: direct.StepClaim{StepUUID: c.StepUUID, ClaimNo: c.ClaimNo}}
			if rand.IntN(10) == 0 {
				result.Error = "cannot do " + given.Text
			} else {
				result.Results, _ = json.Marshal(map[string]string{"text": given.Text})
			}
			held = append(held, result)
		}
	}
}

// signal sends one run the signal that it waits for. It makes one call in a transaction, since several calls would
// lock tasks in any order.
func (s *storm) signal(ctx context.Context) {
	_, err := s.pool.Exec(ctx, `
		select tasker.send_signal(t.task_uuid, 'go', jsonb_build_object('text', t.context ->> 'text'), 'key')
		  from tasker.tasks as t
		 where t.state not in ('complete', 'cancelled', 'error')
		   and t.parent_step_uuid is null
		   and not exists (select from tasker.task_signals as g where g.task_uuid = t.task_uuid)
		 limit 1`)
	s.note(err)
}

// erase erases one run that has ended, with its child, or a batch by their tag.
func (s *storm) erase(ctx context.Context) {
	if rand.IntN(4) == 0 {
		_, err := direct.New(s.pool).EraseTasks(ctx, sqlfn.EraseTasksParams{Reason: "asked for", Tags: []string{"odd"}, Children: true, Limit: 5})
		s.note(err)
		return
	}
	var task uuid.UUID
	if err := s.pool.QueryRow(ctx, `
		select t.task_uuid from tasker.tasks as t
		 where t.erased_at is null and t.complete and t.parent_step_uuid is null and starts_with(t.context ->> 'text', $1)
		 order by random() limit 1`, gone).Scan(&task); err != nil {
		return
	}
	erased, err := direct.New(s.pool).EraseTask(ctx, sqlfn.EraseTaskParams{TaskUUID: task, Children: true, Reason: "asked for"})
	if err != nil {
		s.refused.Add(1)
		s.note(err)
		return
	}
	s.erased.Add(int64(len(erased)))
}

// retain drops the ranges that are too old.
func (s *storm) retain(ctx context.Context) {
	_, err := s.pool.Exec(ctx, "select from tasker.apply_retention()")
	s.note(err)
}

// terminate ends the session of another client.
func (s *storm) terminate(ctx context.Context) {
	time.Sleep(100 * time.Millisecond)
	_, _ = s.pool.Exec(ctx, `select pg_terminate_backend(a.pid) from pg_stat_activity as a
		where a.datname = current_database() and a.pid <> pg_backend_pid() order by random() limit 1`)
}
