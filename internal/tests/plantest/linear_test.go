package plantest_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// TestCalls_AreLinearInWhatTheyAreGiven counts the rows that go through each node of each plan. Hash joins and sorts are
// disabled, so that a bad join of two arrays compares each element of one array with each element of the other. A call with
// 20,000 tasks once took half a minute for such a join.
func TestCalls_AreLinearInWhatTheyAreGiven(t *testing.T) {
	t.Parallel()
	const times, perRow = 60, 5 // work creates 6 tasks of 6 steps in each of two namespaces, this many times
	db := newRecorder(t, pgtest.New(t))
	db.must(t, "set auto_explain.log_analyze = on")
	db.must(t, "set auto_explain.log_timing = off")
	db.must(t, "select tasker_test.freeze(now())")
	register(t, db)

	plans := db.record(t, func() {
		work(t, db, times)
		repeat(t, db, 10*times)
	})

	require.Greater(t, len(plans), 500, "the recorder lacks plans of statements that ran")
	requireLinear(t, plans, perRow*72*times)
}

// TestTasks_AreLinearInTheirSteps does the same for functions that concern all steps of a task. New statistics know of few
// steps, so that a join within the task seems cheap.
func TestTasks_AreLinearInTheirSteps(t *testing.T) {
	t.Parallel()
	const steps, perStep = 300, 40 // A join with the table of sweeps may read all of a sweep's states for each step.
	db := newRecorder(t, pgtest.New(t))
	db.must(t, "set auto_explain.log_analyze = on")
	db.must(t, "set auto_explain.log_timing = off")
	db.must(t, "select tasker_test.freeze(now())")
	db.must(t, `select tasker.register_task_template(jsonb_build_object(
		'namespace', 'now', 'name', 'wide', 'identity_strategy', 'always_unique', 'steps', jsonb_build_array(
			'{"name": "first", "compensate": "undo"}'::jsonb,
			'{"name": "each", "for_each": "$.lines", "dependencies": ["first"], "compensate": "undo"}'::jsonb) || (
			select jsonb_agg(jsonb_build_object('name', 's' || n, 'dependencies', '["first"]'::jsonb, 'compensate', 'undo') order by n)
			  from generate_series(1, $1) as n) || (
			select jsonb_build_array(jsonb_build_object('name', 'last', 'dependencies', jsonb_agg('s' || n order by n)))
			  from generate_series(1, $1) as n)))`, steps)

	plans := db.record(t, func() {
		task := uuid.UUID{}
		require.NoError(t, db.QueryRow(t.Context(), `select c.task_uuid from tasker.create_task('now', 'wide', jsonb_build_object(
			'lines', (select jsonb_agg(n) from generate_series(1, $1) as n))) as c`, steps).Scan(&task))
		db.must(t, `select tasker.complete_steps(array_agg(c.step_uuid), array_agg(c.claim_no)) from tasker.claim_steps(null, $1, 1) as c`, worker)
		db.must(t, `select tasker.fire_due_timers(1000)`)
		db.must(t, `select tasker.complete_steps(array_agg(c.step_uuid), array_agg(c.claim_no)) from tasker.claim_steps(null, $1, 1000) as c`, worker)
		db.must(t, `select tasker.cancel_task($1)`, task)
		for range 3 {
			db.must(t, `select tasker.fire_due_timers(1000)`)
			drain(t, db)
		}
	})

	undone := 0
	require.NoError(t, db.QueryRow(t.Context(), `select count(*) from tasker.workflow_steps as s where s.undo_no > 0 and s.state = 'complete'`).Scan(&undone))
	require.Equal(t, 1+2*steps, undone, "each completed step is undone")
	requireLinear(t, plans, perStep*steps)
}

// TestGraphs_AreLinearInTheirSteps does the same for the calls that read a whole graph: registration, a new version, added
// steps and forks. The steps come as JSON, which has no statistics. A task has up to five times as many elements as `steps`
// says, and each element is compared with the fifteen fields of its kind.
func TestGraphs_AreLinearInTheirSteps(t *testing.T) {
	t.Parallel()
	const steps, perStep = 150, 100
	db := newRecorder(t, pgtest.New(t))
	db.must(t, "set auto_explain.log_analyze = on")
	db.must(t, "set auto_explain.log_timing = off")
	db.must(t, "select tasker_test.freeze(now())")
	register := func(version string) {
		t.Helper()
		db.must(t, `select tasker.register_task_template(jsonb_build_object(
			'namespace', 'now', 'name', 'graph', 'version', $2::text, 'identity_strategy', 'always_unique', 'steps', jsonb_build_array(
				'{"name": "first"}'::jsonb,
				'{"name": "each", "for_each": "$.lines", "dependencies": ["first"]}'::jsonb,
				jsonb_build_object('name', 'new.' || $2::text)) || (
				select jsonb_agg(jsonb_build_object('name', 's' || n, 'compensate', 'undo', 'dependencies', jsonb_build_array(
					jsonb_build_object('step', 'first', 'when', format('$.n != %s', n)))) order by n)
				  from generate_series(1, $1) as n) || (
				select jsonb_build_array(jsonb_build_object('name', 'c0', 'dependencies', jsonb_agg('s' || n order by n)))
				  from generate_series(1, $1) as n) || (
				select jsonb_agg(jsonb_build_object('name', 'c' || n, 'dependencies', jsonb_build_array('c' || (n - 1))) order by n)
				  from generate_series(1, $1) as n)))`, steps, version)
	}
	more := `select tasker.add_steps($1, (
			select jsonb_agg(jsonb_build_object('name', 'more' || n, 'dependencies', jsonb_build_array('s' || n)) order by n)
			  from generate_series(1, $2) as n))`

	plans := db.record(t, func() {
		task, forked := uuid.UUID{}, uuid.UUID{}
		register("1.0.0")
		require.NoError(t, db.QueryRow(t.Context(), `select c.task_uuid from tasker.create_task('now', 'graph', jsonb_build_object(
			'lines', (select jsonb_agg(n) from generate_series(1, $1) as n))) as c`, steps).Scan(&task))
		db.must(t, more, task, steps)
		db.must(t, more, task, steps)
		for range 2 {
			db.must(t, `select tasker.complete_steps(array_agg(c.step_uuid), array_agg(c.claim_no), array_agg('{"n": 0}'::jsonb)) from tasker.claim_steps(null, $1, 1000) as c`, worker)
			db.must(t, `select tasker.fire_due_timers(1000)`)
		}
		register("2.0.0")
		require.NoError(t, db.QueryRow(t.Context(), `select tasker.fork_task($1, 'c1', '2.0.0')`, task).Scan(&forked))
		db.must(t, more, forked, steps)
	})

	require.Greater(t, len(plans), 100, "what ran was not heard")
	requireLinear(t, plans, perStep*steps)
}

// TestChecks_AreLinearInTheTasks does the same for check_integrity, with all kinds of joins allowed. Without statistics the
// planner expects few rows of all tables. A check that compared each step with the parents of all steps once took hours with
// 10,000 tasks.
func TestChecks_AreLinearInTheTasks(t *testing.T) {
	t.Parallel()
	const tasks, perTask = 3000, 1000 // A task has 3 steps, and each looks its path up in a table of 80 rows.
	db := newRecorder(t, pgtest.New(t))
	db.must(t, "set auto_explain.log_analyze = on")
	db.must(t, "set auto_explain.log_timing = off")
	db.must(t, `select tasker.register_task_template('{"namespace": "now", "name": "three", "identity_strategy": "always_unique", "steps": [
		{"name": "first"}, {"name": "second", "dependencies": ["first"], "await": {"signal": "paid"}}, {"name": "third", "dependencies": ["first"]}]}')`)
	for range 3 {
		db.must(t, "select count(*) from tasker.create_tasks('now', 'three', array_fill('{}'::jsonb, array[$1::integer / 3]))", tasks)
		for range 2 {
			send(t, db, "select tasker.complete_steps($1, $2)", claim(t, db, 1000))
		}
	}

	db.must(t, "set statement_timeout = '1min'")
	plans := db.record(t, func() { db.must(t, "select count(*) from tasker.check_integrity()") })
	require.Greater(t, len(plans), 20, "the recorder lacks plans of statements that ran")
	requireLinear(t, plans, perTask*tasks)
}

// requireLinear fails the test if more rows than the limit went through a node of a plan.
func requireLinear(t *testing.T, plans []plan, limit float64) {
	t.Helper()
	most := node{}
	reported := map[string]bool{}
	for _, p := range plans {
		p.Root.any(func(n node) bool {
			if n.seen() > most.seen() {
				most = n
			}
			if n.seen() > limit && !reported[p.Query] {
				reported[p.Query] = true
				t.Errorf("%.0f rows went through a %s:\n%s", n.seen(), n.Type, p.Query)
			}
			return false
		})
	}
	t.Logf("at most %.0f rows went through a node (%s)", most.seen(), most.Type)
}

// repeat makes calls with many elements that work does not make: requests that have their UUIDs already, and batches of results
// that include a refused result.
func repeat(t *testing.T, db *recorder, n int) {
	t.Helper()
	db.must(t, `select tasker.create_tasks('now', 'diamond', array_fill('{}'::jsonb, array[$1::integer]),
		p_task_uuids => tasker.mint_task_uuids($1, tasker.clock() + interval '1 day'))`, n)
	for _, sql := range []string{
		`select tasker.complete_steps($1, $2)`,
		`select tasker.fail_steps($1, $2, array_fill('no'::text, array[cardinality($1::uuid[])]))`,
		`select tasker.release_steps($1, $2)`,
	} {
		steps := claim(t, db, n/3)
		require.Len(t, steps, n/3)
		send(t, db, sql, append(steps[:n/3-1:n/3-1], claimed{steps[n/3-1].StepUUID, -1}))
	}
}
