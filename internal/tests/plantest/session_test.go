package plantest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// firsts are calls that reach inner functions of an exchange, each as the first call of a session. A session keeps its plans.
// So an entry point that lacks the pinned settings of the other entry points would leave worse plans in the session.
var firsts = []string{"cancel_task", "retry_step", "reset_task", "start_task", "fire_due_timers"}

// TestPlans_AreThoseOfAFreshSession lets sessions begin with other calls. It compares the plans of the exchanges that
// follow with the plans of a session that begins with exchanges. make bench-session measures that 10,000 later
// exchanges cost the same as the first exchanges.
func TestPlans_AreThoseOfAFreshSession(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	setup := newRecorder(t, pool)
	setup.must(t, "select tasker_test.freeze(now())")
	register(t, setup)

	for _, first := range firsts {
		t.Run(first, func(t *testing.T) {
			db := newRecorder(t, pool)
			for range 8 { // a plan is kept from the sixth use on
				begin(t, setup, db, first)
			}
			drain(t, setup)
			// The sessions take turns, so that both plan for tables of about the same size.
			fresh := exchanged(t, newRecorder(t, pool))
			require.Greater(t, len(fresh), 15, "what ran was not heard")
			require.Equal(t, fresh, exchanged(t, db))
		})
	}
}

// begin makes the call once, on a task that another session has made, so that it is the first call.
func begin(t *testing.T, other, db *recorder, first string) {
	t.Helper()
	var task, step uuid.UUID
	require.NoError(t, other.QueryRow(t.Context(), `select c.task_uuid from tasker.create_task('now', 'diamond') as c`).Scan(&task))
	step = task
	step[15] = 1
	if first == "retry_step" {
		other.must(t, `select tasker.fail_steps(array_agg(c.step_uuid), array_agg(c.claim_no), array_agg('no'::text), array_agg(true))
			from tasker.claim_steps(null, $1, 1000) as c`, worker)
	}
	switch first {
	case "retry_step":
		db.must(t, `select tasker.retry_step($1, 'test', 'test')`, step)
	case "start_task":
		db.must(t, `select tasker.start_task('now', 'diamond', $1)`, worker)
	case "fire_due_timers":
		db.must(t, `select tasker.fire_due_timers()`)
	default:
		db.must(t, `select tasker.`+first+`($1)`, task)
	}
}

// exchanged drains a task by exchanges of one step, and then drains another task. It returns the different plans of the
// statements inside the exchanges of the second task, in a form in which equal plans are equal texts.
func exchanged(t *testing.T, db *recorder) (shapes []string) {
	t.Helper()
	db.must(t, "set auto_explain.log_min_duration = -1")
	exchangeAll(t, db)
	db.must(t, "set auto_explain.log_min_duration = 0")
	for _, p := range db.record(t, func() { exchangeAll(t, db) }) {
		shapes = append(shapes, p.Query+"\n"+p.Root.shape(0))
	}
	slices.Sort(shapes)
	return slices.Compact(shapes)
}

// exchangeAll creates a task and drains it, with one result and one claim in each call.
func exchangeAll(t *testing.T, db *recorder) {
	t.Helper()
	db.must(t, `select tasker.create_tasks('now', 'diamond', array['{}'::jsonb])`)
	steps, claims := []uuid.UUID{}, []int32{}
	for first := true; first || len(steps) > 0; first = false {
		rows, err := db.Query(t.Context(), `select e.step_uuid, e.claim_no
			from tasker.exchange_steps($1, $2, $3, p_namespaces => '{now}', p_limit => 1, p_request_uuid => $4) as e
			where e.answer is null`, worker, steps, claims, uuid.New())
		require.NoError(t, err)
		next, err := pgx.CollectRows(rows, pgx.RowToStructByPos[claimed])
		require.NoError(t, err)
		steps, claims = nil, nil
		for _, s := range next {
			steps, claims = append(steps, s.StepUUID), append(claims, s.ClaimNo)
		}
	}
}

// shape is the plan without the parts that depend on statistics and sizes, such as whether the rows of an index are read in
// its order.
func (n node) shape(depth int) string {
	if n.Type == "Bitmap Heap Scan" && len(n.Plans) == 1 {
		n.Index, n.IndexCond, n.Plans = n.Plans[0].Index, n.Plans[0].IndexCond, nil
	}
	if n.Index != "" {
		n.Type = "by index"
	}
	text := strings.Repeat("  ", depth) + strings.Join([]string{n.Type, n.Relation, n.Index, n.IndexCond}, " ") + "\n"
	for _, child := range n.Plans {
		text += child.shape(depth + 1)
	}
	return text
}
