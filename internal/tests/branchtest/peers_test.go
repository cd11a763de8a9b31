package branchtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// peer is a rule of another engine. It says when a step x that comes after the steps a and b runs, and how the task then ends.
type peer struct {
	name   string
	x      string // the rule here, as fields of the step x
	policy string
	more   string // a further step of the task, after x
	// runs has the ends of a and b for which x runs in both engines. For all other ends x is skipped or never begins. S
	// is a success, F a failure and K a skipped step.
	runs string
	// ends has the ends of tasks here. A task without an entry completes.
	ends map[string]string
}

const (
	failed = `"dependencies": [{"step": "a", "on": "failed"}, {"step": "b", "on": "failed"}]`
	ended  = `"dependencies": [{"step": "a", "on": "ended"}, {"step": "b", "on": "ended"}]`
	plain  = `"dependencies": ["a", "b"]`
)

// blocked has the expected end of a task in which a step fails while no step waits for the failure.
var blocked = map[string]string{"SF": "blocked_by_failures", "FF": "blocked_by_failures", "KF": "blocked_by_failures"}

var peers = []peer{
	{name: "Airflow all_success", x: plain, runs: "SS", ends: blocked},
	{name: "Airflow all_failed", x: failed, runs: "FF"},
	{name: "Airflow all_done", x: ended + `, "join": "settled"`, runs: "SS SF FF SK KF KK"},
	{name: "Airflow one_failed, when all are done", x: failed + `, "join": "any"`, runs: "SF FF KF"},
	{name: "Airflow one_failed", x: failed + `, "join": "first"`, runs: "SF FF KF"},
	{name: "Airflow one_success", x: plain + `, "join": "first"`, runs: "SS SF SK", ends: map[string]string{
		"FF": "blocked_by_failures", "KF": "blocked_by_failures",
	}},
	{name: "Airflow one_done", x: ended + `, "join": "first"`, runs: "SS SF FF SK KF"},
	{name: "Airflow none_failed", x: plain + `, "join": "settled"`, runs: "SS SK KK", ends: blocked},
	{name: "Airflow none_failed_min_one_success", x: plain + `, "join": "any"`, runs: "SS SK", ends: blocked},
	{name: "Airflow all_done_min_one_success", x: plain + `, "join": "any"`, more: `{"name": "y", "join": "any", ` + failed + `}`, runs: "SS SF SK"},
	{name: "Airflow none_skipped", x: ended, runs: "SS SF FF"},
	{name: "Airflow always", x: `"dependencies": []`, runs: "SS SF FF SK KF KK", ends: blocked},
	{name: "Hatchet on-failure", x: failed + `, "join": "any"`, policy: "fail", runs: "SF FF KF", ends: map[string]string{
		"SF": "error", "FF": "error", "KF": "error",
	}},
	{name: "Argo exit handler", x: ended + `, "join": "settled"`, policy: "fail", runs: "SS SF FF SK KF KK", ends: map[string]string{
		"SF": "error", "FF": "error", "KF": "error",
	}},
}

// TestPeers runs each rule for each pair of ends of the two steps before x.
func TestPeers(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	for i, p := range peers {
		for _, ends := range []string{"SS", "SF", "FF", "SK", "KF", "KK"} {
			t.Run(p.name+" "+ends, func(t *testing.T) {
				policy := p.policy
				if policy == "" {
					policy = "continue"
				}
				more, tail := "", "S"
				if p.more != "" {
					more, tail = ", "+p.more, "SS"
				}
				// The root's result decides whether a and b are skipped.
				_, err := executor.New(pool).RegisterTaskTemplate(t.Context(), json.RawMessage(fmt.Sprintf(`{
					"namespace": "peers", "name": "p%d", "on_failure": %q, "identity_strategy": "always_unique", "steps": [
					{"name": "root"},
					{"name": "a", "dependencies": [{"step": "root", "when": "$.a == true"}], "retry": {"retryable": false}},
					{"name": "b", "dependencies": [{"step": "root", "when": "$.b == true"}], "retry": {"retryable": false}},
					{"name": "x", %s}%s]}`, i, policy, p.x, more)))
				require.NoError(t, err)
				var task uuid.UUID
				require.NoError(t, pool.QueryRow(t.Context(), `select task_uuid from tasker.create_task('peers', $1)`, fmt.Sprintf("p%d", i)).Scan(&task))
				run(t, pool, task, ends, tail)

				var x, state string
				require.NoError(t, pool.QueryRow(t.Context(), `
					select s.state, t.state from tasker.tasks as t join tasker.workflow_steps as s on s.task_uuid = t.task_uuid and s.name = 'x'
					 where t.task_uuid = $1`, task).Scan(&x, &state))
				want := p.ends[ends]
				if want == "" {
					want = "complete"
				}
				require.Equal(t, want, state)
				require.Equal(t, strings.Contains(p.runs, ends), x == "complete", "x is %s", x)
				var problems []string
				require.NoError(t, pool.QueryRow(t.Context(), `select coalesce(array_agg(v), '{}') from tasker_test.violations($1) as v`, task).Scan(&problems))
				require.Empty(t, problems)
			})
		}
	}
}

// TestPeers_AreTheRowsOfTheGuide: requires that the guide has a row for each rule that TestPeers runs. The guide has two other
// rows, each about a difference that no graph shows.
func TestPeers_AreTheRowsOfTheGuide(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/howto/failure-branches.md")
	require.NoError(t, err)
	var rows []string
	for _, row := range regexp.MustCompile(`(?m)^\| ((?:Airflow|Hatchet|Argo)[^|]*) \|`).FindAllStringSubmatch(string(page), -1) {
		rows = append(rows, strings.ReplaceAll(row[1], "`", ""))
	}
	want := []string{"Airflow all_skipped", "Airflow, end of a run"}
	for _, p := range peers {
		if name, _, variant := strings.Cut(p.name, ", when"); !variant {
			want = append(want, name)
		}
	}
	require.ElementsMatch(t, want, rows)
}

// run does the steps of a task in their order, if they can be claimed. ends has the ends of a and b, tail those of the steps after them.
func run(t *testing.T, pool *pgxpool.Pool, task uuid.UUID, ends, tail string) {
	t.Helper()
	report := map[byte]string{
		'S': `select from tasker.complete_steps(array[tasker.step_uuid($1, $2)], array[$3::integer], array[$4]::jsonb[])`,
		'F': `select from tasker.fail_steps(array[tasker.step_uuid($1, $2)], array[$3::integer], array[$4])`,
	}
	for no, end := range "S" + ends + tail {
		var claim int
		err := pool.QueryRow(t.Context(), `select claim_no from tasker.claim_step(tasker.step_uuid($1, $2), gen_random_uuid())`, task, no+1).Scan(&claim)
		if errors.Is(err, pgx.ErrNoRows) {
			continue
		}
		require.NoError(t, err)
		payload := fmt.Sprintf(`{"a": %v, "b": %v}`, ends[0] != 'K', ends[1] != 'K')
		_, err = pool.Exec(t.Context(), report[byte(end)], task, no+1, claim, payload)
		require.NoError(t, err)
		_, err = pool.Exec(t.Context(), `select tasker.fire_due_timers()`)
		require.NoError(t, err)
	}
}
