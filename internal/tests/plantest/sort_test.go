package plantest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/order"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// TestLists_SortABoundedNumberOfRows lists 20,000 tasks in the orders of the page, the HTTP API and the command line. No statement
// sorts or reads more tasks than the bound. The oldest tasks come by their index.
func TestLists_SortABoundedNumberOfRows(t *testing.T) {
	t.Parallel()
	db := newRecorder(t, pgtest.New(t))
	register(t, db)
	db.must(t, ended)
	analyze(t, db)
	db.must(t, "set auto_explain.log_analyze = on")
	db.must(t, "set auto_explain.log_timing = off")
	for _, given := range []string{"-updated_at", "name", "-duration", "requested_at"} {
		by, ok := order.Parse("list_tasks", given)
		require.True(t, ok)
		by.Limit, by.Skip = 50, 100
		p := sqlfn.ListTasksParams{Limit: by.Bound()}
		by.Tasks(&p)
		sorts := 0
		plans := db.record(t, func() {
			tasks, err := executor.New(db).ListTasks(by.With(t.Context()), p)
			require.NoError(t, err)
			require.Len(t, tasks, 50, given)
		})
		for _, p := range plans {
			p.Root.any(func(n node) bool {
				sort := n.Type == "Sort" || n.Type == "Incremental Sort"
				if sort {
					sorts++
				}
				if (sort || strings.HasPrefix(n.Relation, "tasks")) && n.seen() > float64(by.Bound()) {
					t.Errorf("%s: %.0f rows went through a %s of %s:\n%s", given, n.seen(), n.Type, n.Relation, p.Query)
				}
				return false
			})
		}
		require.NotZero(t, sorts, "%s: the recorder lacks the plan of the statement that sorts", given)
	}
}
