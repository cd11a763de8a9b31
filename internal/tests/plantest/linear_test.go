package plantest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// TestCalls_AreLinearInWhatTheyAreGiven counts the rows that go through each node of each plan. Joins by hash or sort
// are switched off, so that a join of two arrays compares each element with each: a call with 20,000 tasks took half a
// minute for it.
func TestCalls_AreLinearInWhatTheyAreGiven(t *testing.T) {
	t.Parallel()
	const times, perRow = 60, 5 // work makes 6 tasks of 6 steps in each of two namespaces, so many times
	db := newRecorder(t, pgtest.New(t))
	db.must(t, "set auto_explain.log_analyze = on")
	db.must(t, "set auto_explain.log_timing = off")
	db.must(t, "select tasker_test.freeze(now())")
	register(t, db)

	plans := db.record(t, func() {
		work(t, db, times)
		repeat(t, db, 10*times)
	})

	require.Greater(t, len(plans), 500, "what ran was not heard")
	most := node{}
	reported := map[string]bool{}
	for _, p := range plans {
		p.Root.any(func(n node) bool {
			if n.seen() > most.seen() {
				most = n
			}
			if n.seen() > perRow*72*times && !reported[p.Query] {
				reported[p.Query] = true
				t.Errorf("%.0f rows went through a %s:\n%s", n.seen(), n.Type, p.Query)
			}
			return false
		})
	}
	t.Logf("at most %.0f rows went through a node (%s)", most.seen(), most.Type)
}

// repeat calls what work does not with many: requests that bring their UUIDs, and results of which one is refused.
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
