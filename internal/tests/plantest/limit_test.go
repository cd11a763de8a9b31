package plantest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// limited makes each call of claims and results with limits once, on n tasks of 20 keys.
func limited(t *testing.T, db *recorder, n int) {
	t.Helper()
	db.must(t, `select tasker.create_tasks('now', 'limited', array(select jsonb_build_object('key', i % 20) from generate_series(1, $1::integer) as i))`, n)
	db.must(t, `select tasker_test.pass('2 minutes')`) // ends the leases of steps that ran before
	db.must(t, `select tasker.next_due_at()`)
	steps := claim(t, db, 10)
	for len(steps) < 10 { // Steps that were lost twice are handed out singly.
		more := claim(t, db, 10-len(steps))
		require.NotEmpty(t, more)
		steps = append(steps, more...)
	}
	send(t, db, `select tasker.release_steps($1, $2)`, steps[:2])
	send(t, db, `select tasker.fail_steps($1, $2, array_fill('no'::text, array[cardinality($1::uuid[])]))`, steps[2:4])
	send(t, db, `select tasker.complete_steps($1, $2)`, steps[4:8])
	db.must(t, `select tasker.exchange_steps($1, array[$2::uuid], array[$3::integer], p_limit => 1)`, worker, steps[8].StepUUID, steps[8].ClaimNo)
	db.must(t, `select tasker.explain_limit(tasker.task_uuid_of($1), 1)`, steps[0].StepUUID)
	db.must(t, `select tasker.claim_step($1, $2)`, steps[0].StepUUID, worker)
	// The leases of the other steps have ended.
	db.must(t, `select tasker_test.pass('2 minutes')`)
	claim(t, db, 30)
	db.must(t, `select tasker.set_limit('now', 'partner', 2, 1000)`)
	claim(t, db, 30)
	db.must(t, `select tasker.set_limit('now', 'partner', 1)`)
}

func TestPlans_OfLimitsStayWhateverTheStatisticsSay(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(t *testing.T, db *recorder){
		"never taken":               func(t *testing.T, db *recorder) { limited(t, db, 200) },
		"taken while all was empty": func(t *testing.T, db *recorder) { analyze(t, db); limited(t, db, 200) },
		"taken while the queue was full": func(t *testing.T, db *recorder) {
			limited(t, db, 200)
			analyze(t, db)
		},
		"taken while all was empty, as were the plans": func(t *testing.T, db *recorder) {
			analyze(t, db)
			limited(t, db, 20)
			limited(t, db, 200)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := newRecorder(t, pgtest.New(t))
			db.must(t, "select tasker_test.freeze(now())")
			db.must(t, `select tasker.register_task_template('{"namespace": "now", "name": "limited", "identity_strategy": "always_unique", "steps": [
				{"name": "first", "limit": "partner", "limit_key": "$.key"},
				{"name": "second", "limit": "partner", "limit_key": "$.key", "dependencies": ["first"]}]}')`)
			db.must(t, `select tasker.set_limit('now', 'partner', 1)`)
			prepare(t, db)

			plans := db.record(t, func() { limited(t, db, 100) })
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
