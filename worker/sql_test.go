package worker_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/worker"
)

// A worker that knows another handler runs the SQL steps of its namespaces beside it: nothing else drives them.
func TestRun_DrainsSQLSteps(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	pgtest.StepsRole(t, pool)
	_, err := pool.Exec(t.Context(), `
		create table public.reserved (step text);
		grant select, insert on public.reserved to pgtest_steps;
		create function public.reserve(p_input jsonb) returns jsonb language sql as $$
		  insert into public.reserved values (p_input ->> 'step') returning to_jsonb(step);
		$$;
		select tasker.register_namespace('bank');
		select tasker.bind_sql_role('bank', 'pgtest_steps');
		select tasker.register_task_template('{"namespace": "bank", "name": "sql", "steps": [
		  {"name": "first", "sql": "public.reserve"},
		  {"name": "timed", "sql": "public.reserve", "timeout_seconds": 60, "dependencies": ["first"]},
		  {"name": "last", "sql": "public.reserve", "dependencies": ["timed"]}]}');`)
	require.NoError(t, err)
	w := newWorker(t, pool, worker.Config{Namespaces: []string{"bank"}})
	worker.Handle(w, "another", func(context.Context, *worker.Job[none]) (int, error) { return 0, nil })
	start(t, w)
	var task string
	require.NoError(t, pool.QueryRow(t.Context(), "select c.task_uuid::text from tasker.create_task('bank', 'sql') as c").Scan(&task))
	require.Eventually(t, func() bool {
		var state string
		require.NoError(t, pool.QueryRow(t.Context(), "select t.state from tasker.get_task($1) as t", task).Scan(&state))
		return state == "complete"
	}, 20*time.Second, 20*time.Millisecond)
	var steps []string
	require.NoError(t, pool.QueryRow(t.Context(), "select array_agg(r.step) from public.reserved as r").Scan(&steps))
	require.Equal(t, []string{"first", "timed", "last"}, steps)
}

// With NoMaintenance it leaves them to others.
func TestRun_LeavesSQLStepsToOthersWithoutMaintenance(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	pgtest.StepsRole(t, pool)
	_, err := pool.Exec(t.Context(), `
		create table public.reserved (step text);
		grant select, insert on public.reserved to pgtest_steps;
		create function public.reserve(p_input jsonb) returns jsonb language sql as $$
		  insert into public.reserved values (p_input ->> 'step') returning to_jsonb(step);
		$$;
		select tasker.register_namespace('bank');
		select tasker.bind_sql_role('bank', 'pgtest_steps');
		select tasker.register_task_template('{"namespace": "bank", "name": "sql", "steps": [
		  {"name": "first", "sql": "public.reserve"},
		  {"name": "timed", "sql": "public.reserve", "timeout_seconds": 60, "dependencies": ["first"]},
		  {"name": "last", "sql": "public.reserve", "dependencies": ["timed"]}]}');`)
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), `select tasker.register_task_template('{"namespace": "bank", "name": "plain", "steps": [{"name": "another"}]}')`)
	require.NoError(t, err)
	w := newWorker(t, pool, worker.Config{Namespaces: []string{"bank"}, NoMaintenance: true})
	ran := make(chan struct{}, 1)
	worker.Handle(w, "another", func(context.Context, *worker.Job[none]) (int, error) { ran <- struct{}{}; return 0, nil })
	start(t, w)
	_, err = pool.Exec(t.Context(), "select tasker.create_task('bank', 'sql'); select tasker.create_task('bank', 'plain')")
	require.NoError(t, err)
	<-ran
	var claimed bool
	require.NoError(t, pool.QueryRow(t.Context(), "select exists (select from tasker.workers as w where w.name like 'sql steps%')").Scan(&claimed))
	require.False(t, claimed, "the driver has not begun")
}
