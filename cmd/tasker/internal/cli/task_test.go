package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func TestTaskCreate_FindsTheTaskOfAnEqualRequest(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	out := must(t, pool, "task", "create", "shop/order", "--context", `{"order": 7}`)
	id, verb, _ := strings.Cut(out, " ")
	require.Equal(t, "created\n", verb)
	require.Equal(t, id+" exists\n", must(t, pool, "task", "create", "shop/order@1.0.0", "-c", ` {"order":7} `))

	r := taskerWith(t, pgtest.URL(pool), "{\"order\": 7}\n", "task", "create", "shop/order", "-c", "-")
	require.Equal(t, id+" exists\n", r.out, r.err)
	require.Equal(t, id+" exists\n", must(t, pool, "task", "create", "shop/order", "-c", "@"+file(t, "order.json", `{"order": 7}`)))
}

func TestTaskCreate_TakesEverythingThatARequestMaySay(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	id := createTask(t, pool, "shop/order", "--priority", "7", "--tag", "vip", "-t", "north", "--start-at", "2h", "--deadline", "26h",
		"--initiator", "ann", "--source", "web", "--reason", "a test", "--headers", `{"traceparent": "x"}`,
		"--correlation", "018f0000-0000-7000-8000-000000000001", "--caused-by", "018f0000-0000-7000-8000-000000000002")
	requireOutput(t, `
task         01234567-89ab-7cde-8f01-234567890000
template     shop/order@1.0.0
state        pending
steps        4 pending
priority     7
requested    2026-01-01 12:00:00Z (0s ago)
deadline     2026-01-01 12:00:00Z (in 1d2h)
initiator    ann
source       web
reason       a test
correlation  01234567-89ab-7cde-8f01-234567890001
caused by    01234567-89ab-7cde-8f01-234567890002
tags         vip, north
headers      {"traceparent": "x"}

     STEP     STATE    TRIES
○    reserve  pending
├─╮
○ │  charge   pending         0 of 1 parents settled
│ ○  pack     pending         0 of 1 parents settled
├─╯
○    ship     pending         0 of 2 parents settled
`, must(t, pool, "task", "show", id))
}

func TestTaskCreate_TakesThePolicyOfItsRequest(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	_, err := executor.New(pool).RegisterTaskTemplate(t.Context(), json.RawMessage(`{
		"namespace": "shop", "name": "index", "identity_strategy": "caller_provided", "steps": [{"name": "a"}]}`))
	require.NoError(t, err)
	first := createTask(t, pool, "shop/index", "--key", "c-7", "--debounce", "5m", "--debounce-longest", "1h")
	second := createTask(t, pool, "shop/index", "--key", "c-7", "--debounce", "5m", "--debounce-longest", "1h")
	require.NotEqual(t, first, second)
	require.Regexp(t, `state +cancelled`, must(t, pool, "task", "show", first))
	require.Regexp(t, `state +pending`, must(t, pool, "task", "show", second))

	first = createTask(t, pool, "shop/index", "--key", "c-8", "--identity-scope", "open")
	require.Contains(t, must(t, pool, "task", "create", "shop/index", "--key", "c-8", "--identity-scope", "open"), "exists")
	must(t, pool, "task", "cancel", first)
	require.NotEqual(t, first, createTask(t, pool, "shop/index", "--key", "c-8", "--identity-scope", "open"))

	throttled := func(key string) result {
		return tasker(t, pool, "task", "create", "shop/index", "--key", key, "--throttle", "1", "--throttle-period", "1h", "--throttle-key", "ann")
	}
	require.Equal(t, exitDone, throttled("c-9").code)
	r := throttled("c-10")
	require.Equal(t, exitConflict, r.code, r.err)
	require.Contains(t, r.err, "TK429")
}

func TestTaskShow_DrawsTheStatesOfItsSteps(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	id := createTask(t, pool, "shop/order", "-c", `{"order": 7}`)
	execute(t, pool, "select tasker_test.pass('90 s')")
	execute(t, pool, "select tasker_test.complete_step($1)", stepOf(id, 1))
	execute(t, pool, "select tasker_test.pass('5 min')")
	execute(t, pool, "select tasker_test.bring_step($1, 'in_progress')", stepOf(id, 3))
	execute(t, pool, "select tasker_test.move_step($1, 'enqueued', 'in_progress')", stepOf(id, 2))
	execute(t, pool, `select tasker_test.fail_step($1, '{"error": "card\nrefused\u001b[31m", "backoff_seconds": 3}')`, stepOf(id, 2))
	execute(t, pool, "select tasker_test.move_step($1, 'waiting_for_retry')", stepOf(id, 2))
	execute(t, pool, "select tasker_test.pass('1 s')")
	requireOutput(t, `
task       01234567-89ab-7cde-8f01-234567890000
template   shop/order@1.0.0
state      steps_in_process
steps      1 pending, 1 in_progress, 1 waiting_for_retry, 1 complete
requested  2026-01-01 12:00:00Z (6m31s ago)
started    2026-01-01 12:00:00Z (6m31s ago)
source     tasker
context    {"order": 7}

     STEP     STATE              TRIES
●    reserve  complete           1/5    5m1s ago
├─╮
↻ │  charge   waiting_for_retry  1/3    in 2s: card refused�[31m
│ ◐  pack     in_progress        1/3    for 1s
├─╯
○    ship     pending                   0 of 2 parents settled
`, must(t, pool, "task", "show", id))

	requireOutput(t, `
● reserve     complete           1/5  5m1s ago
├─ ↻ charge   waiting_for_retry  1/3  in 2s: card refused�[31m
│  └─ ○ ship  pending                 0 of 2 parents settled
└─ ◐ pack     in_progress        1/3  for 1s
   └─ ○ ship  see above
`, must(t, pool, "task", "tree", id))

	requireOutput(t, `
TASK      TEMPLATE          STATE             STEPS  FAILED  AGE    TAGS
SHORT-ID  shop/order@1.0.0  steps_in_process  1/4            6m31s
`, strings.Replace(must(t, pool, "task", "list"), short(id), "SHORT-ID", 1))
}

func TestTaskShow_PaintsWhereItIsAskedTo(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	id := createTask(t, pool, "shop/order")
	require.NotContains(t, must(t, pool, "task", "show", id), "\x1b")
	require.Contains(t, must(t, pool, "task", "show", id, "--color", "always"), "\x1b[34m◎\x1b[0m")
}

// wide returns a template with this number of steps between its first and its last.
func wide(steps int) string {
	var b strings.Builder
	b.WriteString("namespace: shop\nname: wide\nsteps:\n  - name: first\n")
	names := make([]string, steps)
	for i := range names {
		names[i] = fmt.Sprintf("part_%d", i+1)
		fmt.Fprintf(&b, "  - {name: %s, dependencies: [first]}\n", names[i])
	}
	fmt.Fprintf(&b, "  - {name: last, dependencies: [%s]}\n", strings.Join(names, ", "))
	return b.String()
}

func TestTaskShow_ShowsLevelsWhereLanesAreTooMany(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	must(t, pool, "apply", file(t, "wide.yaml", wide(31)))
	id := createTask(t, pool, "shop/wide")
	out := must(t, pool, "task", "show", id)
	require.Contains(t, out, "   STEP     STATE     TRIES  AFTER")
	require.Contains(t, out, "◎  first    enqueued\n\n○  part_1   pending          first")
	require.Contains(t, out, "\n\n○  last     pending          part_1, part_2, part_3, ")
	require.NotContains(t, out, "├")
}

func TestTaskShow_ListsOnlyBusyStepsOfLargeTasks(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	must(t, pool, "apply", file(t, "wide.yaml", wide(100)))
	id := createTask(t, pool, "shop/wide")
	r := tasker(t, pool, "task", "show", id)
	require.Equal(t, exitDone, r.code)
	require.Equal(t, "102 steps; --all draws them all\n", r.err)
	require.Contains(t, r.out, "steps      101 pending, 1 enqueued\n")
	require.Contains(t, r.out, "◎  first  enqueued\n")
	require.NotContains(t, r.out, "part_1")
	require.Contains(t, must(t, pool, "task", "show", id, "--all"), "part_100")
}

func TestTaskList_Filters(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	must(t, pool, "apply", file(t, "wide.yaml", wide(1)))
	first := createTask(t, pool, "shop/order", "-c", `{"n": 1}`, "-t", "a")
	execute(t, pool, "select tasker_test.pass('1 s')")
	second := createTask(t, pool, "shop/order", "-c", `{"n": 2}`, "-t", "a", "-t", "b",
		"--correlation", "018f0000-0000-7000-8000-000000000001")
	execute(t, pool, "select tasker_test.pass('1 s')")
	third := createTask(t, pool, "shop/wide", "--start-at", "1h")

	for _, test := range []struct {
		args []string
		want []string
	}{
		{nil, []string{third, second, first}},
		{[]string{"-n", "shop"}, []string{third, second, first}},
		{[]string{"-n", "other"}, nil},
		{[]string{"--name", "wide"}, []string{third}},
		{[]string{"--name", "order", "--version", "1.0.0"}, []string{second, first}},
		{[]string{"--version", "9"}, nil},
		{[]string{"-s", "pending"}, []string{third}},
		{[]string{"-t", "a"}, []string{second, first}},
		{[]string{"-t", "a,b"}, []string{second}},
		{[]string{"--correlation", "018f0000-0000-7000-8000-000000000001"}, []string{second}},
		{[]string{"--limit", "1"}, []string{third}},
		{[]string{"--before", third, "--limit", "1"}, []string{second}},
		{[]string{"--since", "1h"}, []string{third, second, first}},
		{[]string{"--until", "1h"}, nil},
		{[]string{"--since", "2999-01-01T00:00:00Z"}, nil},
	} {
		r := tasker(t, pool, append([]string{"task", "list"}, test.args...)...)
		require.Equal(t, exitDone, r.code, r.err)
		var have []string
		for line := range strings.Lines(r.out) {
			if !strings.HasPrefix(line, "TASK") {
				have = append(have, line[:8])
			}
		}
		var want []string
		for _, task := range test.want {
			want = append(want, shortID(uuid.MustParse(task)))
		}
		require.Equal(t, want, have, test.args)
		if test.want == nil {
			require.Equal(t, "there are no such tasks\n", r.err)
		}
	}
}
