package plantest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// TestReaders_LookPathsUpOnceForManyRows counts the rows that go through the tables of paths. A reader of a range of the logs
// may look up the path of each row, and not only of the rows that it returns. If it does, it reads four times as many buffers
// as the logs have, whatever the statistics are.
func TestReaders_LookPathsUpOnceForManyRows(t *testing.T) {
	t.Parallel()
	const lookedUp = 1000 // The tables have about 200 rows, and a query may go through them twice.
	for _, s := range append(statistics[:2:2], statistics[4]) {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			db := newRecorder(t, pgtest.New(t))
			register(t, db)
			s.make(t, db)
			drain(t, db)
			create(t, db, 200)
			drain(t, db)
			db.must(t, "select tasker.subscribe('all', p_since => now() - interval '1 hour')")
			db.must(t, "set auto_explain.log_analyze = on")
			db.must(t, "set auto_explain.log_timing = off")
			for _, reader := range []struct {
				call string
				rows int // at least
			}{
				{"get_audit_by_worker('" + worker.String() + "', 10)", 10},
				{"get_audit_by_time_range(now() - interval '1 hour', p_limit => 2)", 2},
				{"count_tasks_since(now() - interval '1 hour')", 1},
				{"count_steps_since(now() - interval '1 hour')", 1},
				{"fresh_work(now() - interval '1 hour')", 1},
				{"ended_tasks_between(now() - interval '1 hour', 'infinity', false)", 1},
				{"ended_steps_between(now() - interval '1 hour', 'infinity', false)", 1},
				{"read_events('all', '" + worker.String() + "', 1000)", 1000},
			} {
				found, logged, through := 0, 0.0, 0.0
				plans := db.record(t, func() {
					require.NoError(t, db.QueryRow(t.Context(), "select count(*) from tasker."+reader.call).Scan(&found))
				})
				require.GreaterOrEqual(t, found, reader.rows, reader.call)
				for _, p := range plans {
					p.Root.any(func(n node) bool {
						switch {
						case strings.HasSuffix(n.Relation, "_log_paths"):
							through += n.seen()
						case strings.HasPrefix(n.Relation, "step_log_"), strings.HasPrefix(n.Relation, "task_log_"):
							logged += n.seen()
						}
						return false
					})
				}
				require.GreaterOrEqual(t, logged, float64(400), "%s: the recorder lacks plans of statements that ran", reader.call)
				require.LessOrEqual(t, through, float64(lookedUp), "%s: rows of paths for %.0f rows of a log", reader.call, logged)
			}
		})
	}
}

// TestCurrentTransition_IsOneRowOfTheLog tests the promise in the comments of get_current_task_transition and
// get_current_step_transition.
func TestCurrentTransition_IsOneRowOfTheLog(t *testing.T) {
	t.Parallel()
	for _, s := range append(statistics[:2:2], statistics[4]) {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			db := newRecorder(t, pgtest.New(t))
			register(t, db)
			s.make(t, db)
			drain(t, db)
			create(t, db, 200)
			drain(t, db)
			db.must(t, "set auto_explain.log_analyze = on")
			db.must(t, "set auto_explain.log_timing = off")
			for _, call := range []string{
				"get_current_task_transition((select max(t.task_uuid::text)::uuid from tasker.tasks as t))",
				"get_current_step_transition((select max(tasker.step_uuid(s.task_uuid, 1)::text)::uuid from tasker.workflow_steps as s))",
			} {
				found, read := 0, 0.0
				plans := db.record(t, func() {
					require.NoError(t, db.QueryRow(t.Context(), "select count(*) from tasker."+call).Scan(&found))
				})
				require.Equal(t, 1, found, call)
				for _, p := range plans {
					if strings.Contains(p.Query, "_transition_log as l") {
						p.Root.any(func(n node) bool {
							if strings.HasPrefix(n.Relation, "step_log_p") && n.Relation != "step_log_paths" ||
								strings.HasPrefix(n.Relation, "task_log_p") && n.Relation != "task_log_paths" {
								read += n.seen()
							}
							return false
						})
					}
				}
				require.Equal(t, float64(1), read, "%s: rows of the log", call)
			}
		})
	}
}
