package plantest_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func ctx(t *testing.T) context.Context {
	t.Helper()
	return context.WithoutCancel(t.Context())
}

// claimed is a step that a worker has.
type claimed struct {
	StepUUID uuid.UUID
	ClaimNo  int32
}

var worker = uuid.MustParse("00000000-0000-4000-8000-000000000001")

// register registers the templates. In namespace "now" workers advance tasks, and in namespace "late" an orchestrator advances
// them.
func register(t *testing.T, db *recorder) {
	t.Helper()
	for _, namespace := range []string{"now", "late"} {
		db.must(t, `select tasker.register_task_template(format('{
			"namespace": "%s", "name": "diamond", "identity_strategy": "always_unique", "steps": [
				{"name": "top"},
				{"name": "left", "priority": 1, "dependencies": ["top"]},
				{"name": "right", "dependencies": ["top"]},
				{"name": "never", "dependencies": [{"step": "top", "when": "$.never == true"}]},
				{"name": "after", "dependencies": ["never"]},
				{"name": "bottom", "join": "settled", "dependencies": ["left", "right", "after"]}
			]}', $1::text)::jsonb)`, namespace)
	}
	db.must(t, `select tasker.register_namespace('late', p_transport => 'pgmq')`)
}

// create creates this number of tasks in each namespace.
func create(t *testing.T, db *recorder, tasks int) {
	t.Helper()
	for _, namespace := range []string{"now", "late"} {
		db.must(t, `select tasker.create_tasks($1, 'diamond', array_fill('{}'::jsonb, array[$2::integer]))`, namespace, tasks)
	}
}

func claim(t *testing.T, db *recorder, limit int) []claimed {
	t.Helper()
	rows, err := db.Query(t.Context(),
		`select c.step_uuid, c.claim_no from tasker.claim_steps(null, $1, $2, 60) as c`, worker, limit)
	require.NoError(t, err)
	steps, err := pgx.CollectRows(rows, pgx.RowToStructByPos[claimed])
	require.NoError(t, err)
	return steps
}

// send runs a statement about steps and their claim numbers, $1 and $2.
func send(t *testing.T, db *recorder, sql string, steps []claimed) {
	t.Helper()
	uuids := make([]uuid.UUID, len(steps))
	claimNos := make([]int32, len(steps))
	for i, step := range steps {
		uuids[i], claimNos[i] = step.StepUUID, step.ClaimNo
	}
	db.must(t, sql, uuids, claimNos)
}

// drain claims and completes steps until no step is left.
func drain(t *testing.T, db *recorder) {
	t.Helper()
	for {
		steps := claim(t, db, 1000)
		if len(steps) == 0 {
			break
		}
		send(t, db, "select tasker.complete_steps($1, $2)", steps)
		db.must(t, "select tasker.orchestrate(1000)")
	}
}

// work makes each call of workers and orchestrators once, on 6 tasks times n.
func work(t *testing.T, db *recorder, n int) {
	t.Helper()
	create(t, db, 6*n)
	db.must(t, `select tasker.create_task('now', 'diamond', '{}',
		p_start_at => tasker.clock() + interval '1 second', p_deadline => tasker.clock() + interval '10 minutes')`)
	db.must(t, `select tasker.create_task('now', 'diamond', '{}', p_deferred => true)`)
	db.must(t, `select tasker.next_due_at(null, true)`)

	steps := claim(t, db, 12*n)
	require.Len(t, steps, 12*n)
	send(t, db, `select tasker.extend_leases($1, $2)`, steps)
	db.must(t, `select tasker.checkpoint_step($1, $2, '{}')`, steps[0].StepUUID, steps[0].ClaimNo)
	db.must(t, `select tasker.keep_step_result($1, $2, 1, 'a', 1, '{}')`, steps[0].StepUUID, steps[0].ClaimNo)
	db.must(t, `select tasker.keep_step_result($1, $2, 1, 'a', 1, '{}')`, steps[0].StepUUID, steps[0].ClaimNo)
	db.must(t, `select tasker.get_kept_results($1)`, steps[0].StepUUID)
	db.must(t, `select tasker.continue_step($1, $2, '{}')`, steps[0].StepUUID, steps[0].ClaimNo)
	send(t, db, `select tasker.release_steps($1, $2)`, steps[:n])
	send(t, db, `select tasker.fail_steps($1, $2, array_fill('no'::text, array[cardinality($1::uuid[])]))`, steps[n:3*n])
	send(t, db, `select tasker.complete_steps($1, $2)`, steps[3*n:8*n])
	for _, step := range steps[10*n : 11*n] {
		db.must(t, `select tasker.transition_step_state_atomic($1, 'in_progress', 'enqueued_for_orchestration', $2)`, step.StepUUID, worker)
	}
	db.must(t, `select tasker.process_step_results(10)`)
	db.must(t, `select tasker.exchange_steps($1, array[$2::uuid], array[$3::integer], p_limit => 20, p_request_uuid => $1)`,
		worker, steps[8*n].StepUUID, steps[8*n].ClaimNo)
	db.must(t, `select tasker.get_parent_results($1)`, steps[0].StepUUID)
	db.must(t, `select tasker.orchestrate(20)`)

	// The leases of the other steps have ended. Retries and the delayed start are due.
	db.must(t, `select tasker_test.pass('2 minutes')`)
	lost := claim(t, db, 1)
	require.Len(t, lost, 1)
	db.must(t, `select tasker.claim_step($1, $2)`, steps[11*n].StepUUID, worker)
	db.must(t, `select tasker.orchestrate(100)`)
	db.must(t, `select tasker_test.pass('1 hour')`)
	db.must(t, `select tasker.fire_due_timers(100)`)
}

// analyze collects the statistics of all tables, including the parents of partitions.
func analyze(t *testing.T, db *recorder) {
	t.Helper()
	db.must(t, "analyze")
}

// statistics lists the ways in which statistics can be wrong, each with 200 tasks in either namespace, or with no
// task left.
var statistics = []struct {
	name string
	make func(t *testing.T, db *recorder)
}{
	{"never taken", func(t *testing.T, db *recorder) {
		create(t, db, 200)
	}},
	{"taken while all was empty", func(t *testing.T, db *recorder) {
		analyze(t, db)
		create(t, db, 200)
	}},
	{"taken while the queue was full", func(t *testing.T, db *recorder) {
		create(t, db, 200)
		analyze(t, db)
	}},
	{"taken after all was drained", func(t *testing.T, db *recorder) {
		create(t, db, 200)
		drain(t, db)
		analyze(t, db)
		create(t, db, 200)
	}},
	{"taken while the queue was full, which is now empty", func(t *testing.T, db *recorder) {
		create(t, db, 200)
		analyze(t, db)
		drain(t, db)
	}},
	{"taken while all was empty, as were the plans", func(t *testing.T, db *recorder) {
		analyze(t, db)
		work(t, db, 1) // The plans of this run are kept until the next analyze.
		create(t, db, 200)
	}},
	{"taken over a table that had shrunk to nothing", func(t *testing.T, db *recorder) {
		create(t, db, 200)
		drain(t, db)
		db.must(t, "vacuum analyze")
		create(t, db, 200)
	}},
}

func TestPlans_StayWhateverTheStatisticsSay(t *testing.T) {
	t.Parallel()
	for _, s := range statistics {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			db := newRecorder(t, pgtest.New(t))
			db.must(t, "select tasker_test.freeze(now())")
			register(t, db)
			s.make(t, db)

			plans := db.record(t, func() { work(t, db, 5) })
			require.Greater(t, len(plans), 500, "the recorder lacks plans of statements that ran")
			reported := map[string]bool{}
			for _, p := range plans {
				for _, flaw := range p.flaws() {
					if key := flaw + p.Query; !reported[key] {
						reported[key] = true
						t.Errorf("%s:\n%s", flaw, p.Query)
					}
				}
			}
		})
	}
}

// TestBuffers_StayWithinABoundForEachStep measured 32 to 42 buffers for a claimed step, and 66 to 117 for a completed step
// with its children, log, audit and task.
func TestBuffers_StayWithinABoundForEachStep(t *testing.T) {
	t.Parallel()
	const steps, claimBound, completeBound = 100, 60, 200
	for _, s := range statistics {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			db := newRecorder(t, pgtest.New(t))
			register(t, db)
			s.make(t, db)
			create(t, db, steps)
			db.must(t, `create temporary table claimed (like tasker.claimed_steps)`)
			buffers := func(sql string) (n int) {
				require.NoError(t, db.QueryRow(t.Context(), `select tasker_test.buffers($1)`, sql).Scan(&n))
				return n / steps
			}

			// The first call of a session also reads the catalogues.
			for _, measured := range []bool{false, true} {
				db.must(t, `truncate claimed`)
				claims := buffers(`insert into claimed select c.* from tasker.claim_steps('{now}', gen_random_uuid(), 100) as c`)
				var n int
				require.NoError(t, db.QueryRow(t.Context(), `select count(*) from claimed`).Scan(&n))
				require.Equal(t, steps, n)
				results := buffers(`select tasker.complete_steps(array_agg(c.step_uuid), array_agg(c.claim_no)) from claimed as c`)
				if measured {
					require.LessOrEqual(t, claims, claimBound, "buffers for each claimed step")
					require.LessOrEqual(t, results, completeBound, "buffers for each completed step")
				}
				t.Logf("%d buffers for each claimed step, %d for each completed one", claims, results)
			}
		})
	}
}
