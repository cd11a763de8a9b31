package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/docs"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// Every command prints JSON with --json: an array or an object, as its documentation says.
func TestJSON_IsWhatEveryCommandCanPrint(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	blocked := createTask(t, pool, "shop/order", "-c", `{"blocked": true}`)
	stuck := createTask(t, pool, "shop/order", "-c", `{"stuck": true}`)
	work(t, pool, "no stock")
	task := createTask(t, pool, "shop/order")
	other := createTask(t, pool, "shop/order", "-c", `{"other": true}`)
	pausable := createTask(t, pool, "shop/order", "-c", `{"held": true}`)
	must(t, pool, "namespace", "register", "shop", "--transport", "pgmq")
	_, err := executor.New(pool).PgmqSendWithNotify(t.Context(), sqlfn.PgmqSendWithNotifyParams{
		QueueName: "worker_shop_queue", Message: json.RawMessage(`{}`),
	})
	require.NoError(t, err)

	held := pgtest.New(t, pgtest.MaxConns(1)) // has a range that can be evacuated
	execute(t, held, "select tasker_test.start_year('2050-03-02 12:00+00', '7 days', '21 days')")
	execute(t, held, "select tasker_test.make_old_task('41 days', 'pending')")
	idle := pgtest.New(t) // a worker has nothing to do here, and time passes
	must(t, idle, "namespace", "register", "quiet")
	resolved, requeued := openDLQEntry(t, pool, task), openDLQEntry(t, pool, other)

	execute(t, pool, "select from tasklib.register_task('echo')")
	job := submitJob(t, pool, "echo")
	ended := submitJob(t, pool, "echo")
	must(t, pool, "job", "cancel", ended)

	must(t, pool, "schedule", "set", "shop/hourly", "order", "--cron", "0 * * * *")

	must(t, pool, "limit", "set", "shop/unused", "--rate", "100", "--per", "1m")
	must(t, pool, "limit", "set", "shop/other")

	pgtest.StepsRole(t, pool)
	must(t, pool, "namespace", "register", "calm")
	must(t, pool, "namespace", "pause", "calm")
	execute(t, pool, `insert into tasker.error_causes (fingerprint, namespace, handler, masked, first_error, first_step, first_at, last_at)
		values (7, 'shop', 'reserve', 'it broke', 'it broke', gen_random_uuid(), tasker.clock(), tasker.clock())`)
	execute(t, pool, "select from tasker.run_maintenance('incidents')")

	var set, acted string
	for _, selection := range []*string{&set, &acted} {
		require.NoError(t, pool.QueryRow(t.Context(), `select selection_uuid::text from tasker.create_selection('tasks', '{"namespace": "shop", "state": "blocked_by_failures"}')`).Scan(selection))
	}
	execute(t, pool, "select tasker.start_mass_action($1, 'cancel', 2, 'test'), tasker.stop_mass_action($1)", acted)

	must(t, pool, "apply", file(t, "stocktaking.yaml", stocktaking))
	counted := createTask(t, pool, "halls/stocktaking", "-c", `{"hall": 7}`)
	execute(t, pool, `select from (select c.* from tasker.claim_steps(array['halls'], gen_random_uuid(), 1) as c) as c
		cross join lateral tasker.fail_steps(array[c.step_uuid], array[c.claim_no], array['broken'], array[true]) as f`)

	arguments := map[string][]string{
		"apply":                 {file(t, "order.yaml", order)},
		"audit changes":         nil,
		"audit check":           nil,
		"audit correlation":     {task},
		"audit range":           nil,
		"audit step":            {blocked, "reserve"},
		"audit task":            {blocked},
		"audit worker":          {task},
		"dlq create":            {task},
		"dlq dashboard":         nil,
		"dlq list":              nil,
		"dlq requeue":           {requeued},
		"dlq resolve":           {resolved},
		"dlq show":              {resolved},
		"doctor":                nil,
		"event emit":            {"shop/market_open", "XETRA"},
		"event test":            {"shop/market_open"},
		"event list":            nil,
		"handler list":          nil,
		"handler pause":         {"shop/reserve"},
		"handler resume":        {"shop/reserve"},
		"health":                nil,
		"incidents acknowledge": {"paused:calm"},
		"incidents list":        nil,
		"incidents rules":       nil,
		"incidents show":        {"paused:calm"},
		"incidents steps":       {"failing:7"},
		"inbox answer":          {stepOf(task, 1), "paid"},
		"inbox list":            nil,
		"job cancel":            {job},
		"job list":              nil,
		"job pause":             {"echo"},
		"job purge":             {"--until", "1h", "--yes"},
		"job resume":            {"echo"},
		"job retry":             {job},
		"job erase":             {ended, "-r", "asked for"},
		"job schedule":          {"nightly", "echo", "--cron", "0 2 * * *"},
		"job schedules":         nil,
		"job show":              {job},
		"job stats":             nil,
		"job submit":            {"echo"},
		"job unschedule":        {"nightly"},
		"limit drop":            {"shop/other"},
		"limit list":            nil,
		"limit set":             {"shop/stripe", "--concurrency", "20"},
		"limit show":            {"shop/unused"},
		"maintain":              nil,
		"mass list":             nil,
		"mass resume":           {acted},
		"mass show":             {acted},
		"mass start":            {set, "reset", "--entries", "2", "--reason", "test"},
		"mass stop":             {acted},
		"migrate down":          {"--yes"},
		"migrate dump":          nil,
		"migrate status":        nil,
		"migrate up":            nil,
		"namespace list":        nil,
		"namespace pause":       {"shop"},
		"namespace register":    {"shop"},
		"namespace resume":      {"shop"},
		"orchestrate":           {"--once"},
		"partition evacuate":    {"2050-01-17T00:00:00Z"},
		"partition growth":      nil,
		"partition keep":        {"shop", "--for", "2 years"},
		"partition kept":        nil,
		"partition maintain":    nil,
		"partition setup":       nil,
		"partition status":      nil,
		"queue list":            nil,
		"queue peek":            {"worker_shop_queue"},
		"queue stats":           {"worker_shop_queue"},
		"schedule backfill":     {"shop/hourly", "--since", "48h", "--until", "24h"},
		"schedule delete":       {"shop/other"},
		"schedule list":         nil,
		"schedule pause":        {"shop/hourly"},
		"schedule resume":       {"shop/hourly"},
		"schedule run":          {"shop/hourly"},
		"schedule set":          {"shop/hourly", "order", "--cron", "0 * * * *"},
		"schedule show":         {"shop/hourly"},
		"selection create":      {"tasks", "--namespace", "shop"},
		"selection entries":     {set},
		"selection show":        {set},
		"settings list":         nil,
		"settings set":          {"lease_seconds", "60"},
		"settings show":         {"lease_seconds"},
		"slow steps":            nil,
		"sql bind":              {"shop", pgtest.StepsRoleName},
		"sql list":              nil,
		"sql run":               nil,
		"sql unbind":            {"shop"},
		"slow tasks":            nil,
		"stats":                 nil,
		"step complete":         {task, "reserve"},
		"step explain":          {task, "ship"},
		"step history":          {task, "ship"},
		"step rerun":            {task, "reserve", "--reason", "wrong"},
		"step resolve":          {task, "pack"},
		"step retry":            {task, "charge"},
		"step show":             {task, "ship"},
		"subscription create":   {"billing", "--kind", "task"},
		"subscription drop":     {"billing"},
		"subscription list":     nil,
		"subscription replay":   {"billing", "--since", "1h"},
		"subscription show":     {"billing"},
		"task create":           {"shop/order"},
		"task cancel":           {other},
		"task give-up":          {blocked},
		"task history":          {task},
		"task log":              {task, "reserve"},
		"task list":             nil,
		"task reset":            {blocked},
		"task explain":          {task},
		"task export":           {task},
		"task fork":             {blocked, "reserve"},
		"task erase":            {"--tag", "nothing", "--dry-run"},
		"task erasures":         {},
		"task replay":           {file(t, "task.json", must(t, pool, "task", "export", task))},
		"task resolve":          {stuck},
		"task show":             {task},
		"task signal":           {task, "paid"},
		"task runs":             {"halls"},
		"task pause":            {pausable},
		"task resume":           {pausable},
		"task change":           {pausable, "--priority", "5"},
		"task attributes":       {"halls"},
		"task skip-run":         {counted, "--reason", "the hall is closed"},
		"task tree":             {task},
		"task wait":             {other},
		"template check":        {file(t, "order.yaml", order)},
		"template list":         nil,
		"template pause":        {"shop/order", "--shared"},
		"template resume":       {"shop/order"},
		"template schema":       nil,
		"template retire":       {"shop/order@1.0.0"},
		"template show":         {"shop/order@1.0.0"},
		"access list":           nil,
		"access map":            {"groups=staff"},
		"access unmap":          {"groups=staff"},
		"session end":           {"--person", "ann@corp.example"},
		"session list":          nil,
		"token create":          {"json-bot", "--role", "reader", "--namespaces", "all"},
		"token list":            nil,
		"token revoke":          {"json-bot"},
		"top":                   {"--once"},
		"version":               nil,
		"worker demo":           {"--until-idle", "--pace", "0"},
		"worker list":           nil,
	}
	last := func(name string) int { // commands that remove objects come last
		return slices.Index([]string{"job retry", "task wait", "task give-up", "task reset", "task resolve", "template retire", "subscription drop", "token revoke", "migrate down", "migrate up"}, name)
	}
	var names []string
	rows := map[string]string{}
	for _, command := range Leaves(newApp(Process{Getenv: os.Getenv}).root) {
		name := strings.TrimPrefix(command.CommandPath(), "tasker ")
		if name == "demo" {
			continue // registers another "shop/order"; it has a test of its own
		}
		if name == "serve" || name == "relay" || name == "dev" {
			continue // serves until it is stopped; it has a test of its own
		}
		if name == "template convert" {
			continue // prints a template for "tasker apply", which is YAML; it has a test of its own
		}
		require.Contains(t, arguments, name, "this test knows every command: %s", name)
		names = append(names, name)
		rows[name] = command.Annotations[jsonAnnotation]
	}
	require.Len(t, names, len(arguments))
	slices.SortStableFunc(names, func(a, b string) int { return last(a) - last(b) })

	for _, name := range names {
		args := append(append(strings.Fields(name), arguments[name]...), "--json")
		on := pool
		switch name {
		case "partition evacuate":
			on = held
		case "worker demo":
			on = idle
		}
		r := tasker(t, on, args...)
		require.Contains(t, []int{exitDone, exitNo, exitLook}, r.code, "%s: %s", name, r.err)
		require.Empty(t, r.err, name)
		var value any
		require.NoError(t, json.Unmarshal([]byte(r.out), &value), name)
		switch value.(type) {
		case []any:
			require.True(t, strings.HasPrefix(rows[name], "an array"), name)
		case map[string]any:
			require.True(t, strings.HasPrefix(rows[name], "an object"), name)
		default:
			require.Failf(t, "neither an array nor an object", "%s: %s", name, r.out)
		}
	}
}

func TestJSON_IsAnEmptyArrayForNoRows(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	for _, args := range [][]string{
		{"task", "list"}, {"template", "list", "nowhere"}, {"queue", "list"}, {"settings", "list", "--changed"},
	} {
		require.Equal(t, "[]\n", must(t, pool, append(args, "--json")...))
	}
}

func TestJSON_HasTheNamesOfTheColumns(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	task := createTask(t, pool, "shop/order")
	var shown struct {
		Task  map[string]any   `json:"task"`
		Steps []map[string]any `json:"steps"`
		Graph []map[string]any `json:"graph"`
	}
	require.NoError(t, json.Unmarshal([]byte(must(t, pool, "task", "show", task, "--json")), &shown))
	require.Equal(t, task, shown.Task["task_uuid"])
	require.Len(t, shown.Steps, 4)
	require.Equal(t, "reserve", shown.Steps[0]["name"])
	require.Len(t, shown.Graph, 4)

	var template map[string]any
	require.NoError(t, json.Unmarshal([]byte(must(t, pool, "template", "show", "shop/order", "--json")), &template))
	require.Regexp(t, "^[0-9a-f]{64}$", template["content_hash"])
	require.Equal(t, "order", template["template"].(map[string]any)["name"])
}

func TestDocs_AreWhatTheCommandsSay(t *testing.T) {
	t.Parallel()
	path := filepath.Join("..", "..", "..", "..", "docs", "cli.md")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NotContains(t, Reference(), "(default )")
	want := string(text)
	for name, body := range map[string]string{"commands": Reference(), "exit codes": ExitCodes(), "global flags": GlobalFlags(), "shared flags": SharedFlags()} {
		want, err = docs.ReplacePart(want, name, body)
		require.NoError(t, err)
	}
	if os.Getenv("PGTASKER_UPDATE_DOCS") != "" {
		require.NoError(t, os.WriteFile(path, []byte(want), 0o644))
		return
	}
	require.True(t, want == string(text), "docs/cli.md is out of date: make docs")
}

func TestCompletion_OffersWhatTheDatabaseHas(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	must(t, pool, "namespace", "register", "shop", "--transport", "pgmq")
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"template", "show", ""}, "shop/order@1.0.0\n"},
		{[]string{"task", "create", "sh"}, "shop/order@1.0.0\n"},
		{[]string{"task", "list", "--namespace", ""}, "shop\n"},
		{[]string{"task", "list", "--state", ""}, "pending\ninitializing\n"},
		{[]string{"settings", "set", "lease"}, "lease_seconds\t60\n"},
		{[]string{"queue", "peek", ""}, "worker_shop_queue\n"},
		{[]string{"namespace", "register", ""}, "shop\n"},
		{[]string{"tem"}, "template\tShow, pause and retire task templates\n"},
	} {
		r := tasker(t, pool, append([]string{"__complete"}, test.args...)...)
		require.Equal(t, exitDone, r.code, r.err)
		require.Contains(t, r.out, test.want, test.args)
	}

	r := run(t.Context(), nil, "", "__complete", "template", "show", "")
	require.Equal(t, exitDone, r.code)
	require.Equal(t, ":1\n", r.out, "without a database nothing is offered, and no error is printed into the line")
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		r := run(t.Context(), nil, "", "completion", shell)
		require.Equal(t, exitDone, r.code)
		require.Contains(t, r.out, "tasker")
	}
}
