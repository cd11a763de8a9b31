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

// register makes the templates: in namespace "now" workers move tasks on, in
// "late" an orchestrator does.
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
	db.must(t, `select tasker.register_namespace('late', p_result_mode => 'deferred')`)
}

// create makes so many tasks in each namespace.
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

// drain works until nothing is left.
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

// work does once whatever workers and orchestrators do.
func work(t *testing.T, db *recorder) {
	t.Helper()
	create(t, db, 30)
	db.must(t, `select tasker.create_task('now', 'diamond', '{}',
		p_start_at => tasker.clock() + interval '1 second', p_deadline => tasker.clock() + interval '10 minutes')`)
	db.must(t, `select tasker.create_task('now', 'diamond', '{}', p_deferred => true)`)
	db.must(t, `select tasker.next_due_at(null, true)`)

	steps := claim(t, db, 60)
	require.Len(t, steps, 60)
	send(t, db, `select tasker.extend_leases($1, $2)`, steps)
	db.must(t, `select tasker.checkpoint_step($1, $2, '{}')`, steps[0].StepUUID, steps[0].ClaimNo)
	send(t, db, `select tasker.release_steps($1, $2)`, steps[:5])
	send(t, db, `select tasker.fail_steps($1, $2, array_fill('no'::text, array[cardinality($1::uuid[])]))`, steps[5:15])
	send(t, db, `select tasker.complete_steps($1, $2)`, steps[15:40])
	db.must(t, `select tasker.process_step_results(10)`)
	db.must(t, `select tasker.exchange_steps($1, array[$2::uuid], array[$3::integer], p_limit => 20, p_request_uuid => $1)`,
		worker, steps[40].StepUUID, steps[40].ClaimNo)
	db.must(t, `select tasker.get_parent_results($1)`, steps[0].StepUUID)
	db.must(t, `select tasker.orchestrate(20)`)

	// The rest is lost; retries and the delayed start are due.
	db.must(t, `select tasker_test.pass('2 minutes')`)
	lost := claim(t, db, 1)
	require.Len(t, lost, 1)
	db.must(t, `select tasker.claim_step($1, $2)`, steps[55].StepUUID, worker)
	db.must(t, `select tasker.orchestrate(100)`)
	db.must(t, `select tasker_test.pass('1 hour')`)
	db.must(t, `select tasker.fire_due_timers(100)`)
}

// analyze takes statistics of everything, parents of partitions too.
func analyze(t *testing.T, db *recorder) {
	t.Helper()
	db.must(t, "analyze")
}

func TestPlans_StayWhateverTheStatisticsSay(t *testing.T) {
	t.Parallel()
	statistics := []struct {
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
		{"taken over a table that had shrunk to nothing", func(t *testing.T, db *recorder) {
			create(t, db, 200)
			drain(t, db)
			db.must(t, "vacuum analyze")
			create(t, db, 200)
		}},
	}
	for _, s := range statistics {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			db := newRecorder(t, pgtest.New(t))
			db.must(t, "select tasker_test.freeze(now())")
			register(t, db)
			s.make(t, db)

			plans := db.record(t, func() { work(t, db) })
			require.Greater(t, len(plans), 500, "what ran was not heard")
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
