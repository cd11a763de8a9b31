package plantest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// feed reads and acknowledges the events of the last hour, in batches of this size, and returns their number.
func feed(t *testing.T, db *recorder, batch int) (events int) {
	t.Helper()
	db.must(t, `select tasker.subscribe('all', p_since => now() - interval '1 hour')`)
	for {
		var n int
		var place *string
		require.NoError(t, db.QueryRow(t.Context(), `
			select count(*), (array_agg(e.place order by e.no desc))[1]
			  from tasker.read_events('all', $1, $2) with ordinality as e (place, event_uuid, kind, event, happened_at, namespace, task_name,
			       task_version, task_uuid, correlation_id, workflow_step_uuid, step_name, sort_key, from_state, to_state, claim_no,
			       execution_time_ms, worker_uuid, actor, reason, metadata, no)`, worker, batch).Scan(&n, &place))
		if n == 0 {
			break
		}
		events += n
		db.must(t, `select tasker.acknowledge_events('all', $1, $2, $3)`, worker, place, n)
	}
	db.must(t, `select tasker.unsubscribe('all')`)
	return events
}

// TestPlans_OfTheFeedStayWhateverTheStatisticsSay allows read_events hash joins of rows in memory, which it needs for batches
// of a thousand. It allows no hash join of a table.
func TestPlans_OfTheFeedStayWhateverTheStatisticsSay(t *testing.T) {
	t.Parallel()
	const batch = 1000
	kept := statistics[0]
	kept.name = "taken while all was empty, as were the feed's plans"
	kept.make = func(t *testing.T, db *recorder) {
		t.Helper()
		analyze(t, db)
		create(t, db, 1)
		require.Positive(t, feed(t, db, batch))
		create(t, db, 200)
	}
	for _, s := range append(statistics[:3:3], kept) {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			db := newRecorder(t, pgtest.New(t))
			register(t, db)
			s.make(t, db)

			db.must(t, "set auto_explain.log_analyze = on")
			db.must(t, "set auto_explain.log_timing = off")
			plans := db.record(t, func() { require.Greater(t, feed(t, db, batch), 500) })
			described := 0
			reported := map[string]bool{}
			for _, p := range plans {
				for _, flaw := range p.flaws() {
					if key := flaw + p.Query; !reported[key] {
						reported[key] = true
						t.Errorf("%s:\n%s", flaw, p.Query)
					}
				}
				if strings.Contains(p.Query, "with keys as materialized") {
					described++
					requireLinear(t, []plan{p}, 2*batch)
				}
			}
			require.Positive(t, described, "the recorder lacks plans of statements that ran")
		})
	}
}
