package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/judge"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// openDLQEntry creates a dead letter of a task and returns its UUID.
func openDLQEntry(t *testing.T, pool *pgxpool.Pool, task string) string {
	t.Helper()
	notes := "looked odd"
	entry, err := direct.New(pool).CreateDLQEntry(t.Context(), sqlfn.CreateDLQEntryParams{TaskUUID: uuid.MustParse(task), Notes: notes})
	require.NoError(t, err)
	return entry.String()
}

// newWorked returns a database with a task that is complete and one that is blocked, an hour and a half
// after they began, and rolled up. Each execution took 1.5 seconds.
func newWorked(t *testing.T) (pool *pgxpool.Pool, complete, blocked string, worker uuid.UUID) {
	t.Helper()
	pool = newShop(t)
	worker = uuid.New()
	complete = createTask(t, pool, "shop/order")
	for range 3 {
		workAs(t, pool, worker, "")
		execute(t, pool, "select tasker_test.pass('10 s')")
	}
	blocked = createTask(t, pool, "shop/order", "-c", `{"blocked": true}`)
	workAs(t, pool, worker, "no stock")
	execute(t, pool, "select tasker_test.pass('10 min')")
	execute(t, pool, "select from tasker.run_maintenance('rollups')")
	return pool, complete, blocked, worker
}

// workAs is work in the name of a worker, which reports how long each step took.
func workAs(t *testing.T, pool *pgxpool.Pool, worker uuid.UUID, failure string) {
	t.Helper()
	e := direct.New(pool)
	steps, err := e.ClaimSteps(t.Context(), direct.ClaimRequest{WorkerUUID: worker, Limit: 10})
	require.NoError(t, err)
	require.NotEmpty(t, steps)
	var results []direct.StepResult
	for _, step := range steps {
		result := direct.StepResult{
			StepClaim: direct.StepClaim{StepUUID: step.StepUUID, ClaimNo: step.ClaimNo},
			Error:     failure, Permanent: true, ExecutionTime: 1500 * time.Millisecond,
		}
		if failure == "" {
			result.Results = json.RawMessage(`{"paid": true}`)
		}
		results = append(results, result)
	}
	report := e.CompleteSteps
	if failure != "" {
		report = e.FailSteps
	}
	_, err = report(t.Context(), results)
	require.NoError(t, err)
}

func TestHealth_SaysWhatIsWrongAndHowSevereItIs(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	out := must(t, pool, "health")
	require.Regexp(t, `^well: Nothing is wrong\.\n\n`, out)
	require.Regexp(t, `(?m)^connections +\d+ of \d+$`, out)
	require.Regexp(t, `(?m)^dead letters +none$`, out)

	createTask(t, pool, "shop/order", "-c", `{"left": "alone"}`)
	execute(t, pool, "select tasker_test.pass('3 min')")
	r := tasker(t, pool, "health")
	require.Equal(t, exitLook, r.code)
	require.Empty(t, r.err)
	require.Regexp(t, `^look today: No running worker has handler reserve of shop, 1 step waits for it\.\n· No running worker has handler reserve of shop, 1 step waits for it\n  since .*: Start a worker that has the handler, or mend its name\.\n`, r.out)

	execute(t, pool, "select tasker_test.pass('1 h')")
	r = tasker(t, pool, "health")
	require.Equal(t, exitNo, r.code)
	require.Regexp(t, `^act now: No running worker has handler reserve of shop, `, r.out)
	require.Regexp(t, `(?m)^shop +[a-z]+ +1 +0 +1h3m$`, r.out)

	execute(t, pool, "select from tasker.run_maintenance('incidents')")
	var report healthReport
	r = tasker(t, pool, "health", "--json")
	require.Equal(t, exitNo, r.code)
	require.NoError(t, json.Unmarshal([]byte(r.out), &report))
	require.False(t, report.Healthy)
	require.Equal(t, judge.ActNow, report.Severity)
	require.Equal(t, []string{"unserved:shop/reserve"}, incidentNames(report.Incidents))

	require.Contains(t, must(t, pool, "incidents", "acknowledge", "unserved:shop/reserve", "--reason", "the worker is on its way"), "done: unserved:shop/reserve is for information until it ends\n")
	require.Contains(t, must(t, pool, "health"), "well: Nothing is wrong.\n· No running worker has handler reserve of shop")
}

// Two programs of one version: the second was refused, and health, doctor and template check name both.
func TestReports_NameTwoProgramsOfOneVersion(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	template := func(kind string) string {
		return file(t, "sale.yaml", "namespace: shop\nname: sale\nversion: '1'\nsteps:\n  - {name: pay, handler: card}\ntypes: {pay: '"+kind+"'}\n")
	}
	must(t, pool, "apply", template("int"))
	e := direct.New(pool)
	_, err := e.NoteRefusedProgram(t.Context(), json.RawMessage(
		`{"namespace": "shop", "name": "sale", "version": "1", "steps": [{"name": "pay", "handler": "card"}], "types": {"pay": "string"}}`))
	require.NoError(t, err)
	const names = `shop/sale: version "1" was refused once to a program with types [0-9a-f]{12} \(.*last at 20.* UTC\): ` +
		`it is registered with types [0-9a-f]{12} \(.* UTC\), handler card: the result of "pay" is int, not string`
	require.Regexp(t, `(?m)^· `+names+`$`, tasker(t, pool, "health").out)
	var report healthReport
	require.NoError(t, json.Unmarshal([]byte(tasker(t, pool, "health", "--json").out), &report))
	require.Len(t, report.Refused, 1)
	require.EqualValues(t, 1, report.Refused[0].Refusals)
	words := func(out string) string { return strings.Join(strings.Fields(out), " ") }
	require.Regexp(t, `types `+names, words(tasker(t, pool, "doctor").out))
	checked := words(must(t, pool, "template", "check", template("int")))
	require.Contains(t, checked, `✓ types the types of version "1" are `)
	require.Regexp(t, `! types version "1" was refused once to a program with types`, checked)
	r := tasker(t, pool, "template", "check", template("string"))
	require.Equal(t, exitNo, r.code, r.err)
	require.Regexp(t, `✗ types version "1" is registered with other types \([0-9a-f]{12}, not [0-9a-f]{12}\)`, words(r.out))
}

func TestTemplateCheck_SaysHowManyTasksItJudged(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	_, err := pool.Exec(t.Context(), `select tasker.register_task_template('{"namespace": "shop", "name": "sale", "version": "1", "identity_strategy": "always_unique", "steps": [{"name": "pay"}]}');
		select count(*) from tasker.create_tasks('shop', 'sale', array_fill('{}'::jsonb, array[101]))`)
	require.NoError(t, err)
	out := must(t, pool, "template", "check", file(t, "sale.yaml", "namespace: shop\nname: sale\nversion: '2'\nsteps:\n  - {name: pay}\n"))
	require.Regexp(t, `(?m)^!  bound +only forks of 100 of 101 open tasks were judged$`, out)
}

func incidentNames(incidents []gen.IncidentDetail) (names []string) {
	for _, i := range incidents {
		names = append(names, i.Incident)
	}
	return names
}

func TestIncidents_AreListedShownAndAcknowledged(t *testing.T) {
	t.Parallel()
	pool, _, _, _ := newWorked(t)
	execute(t, pool, "select from tasker.run_maintenance('incidents')")
	out := must(t, pool, "incidents", "list")
	require.Regexp(t, `(?m)^look today +failing:-?\d+ +\S+ ago +\w+ of shop fails: .*, 1 step stands failed`, out)
	name := regexp.MustCompile(`failing:-?\d+`).FindString(out)

	shown := must(t, pool, "incidents", "show", name)
	require.Regexp(t, `(?m)^next +Read the error of the first step; `, shown)
	require.Regexp(t, `(?m)^steps +1 failed, 0 tried again$`, shown)
	require.Regexp(t, `(?m)^[0-9a-f.]+ +shop/order@\S+ +`, must(t, pool, "incidents", "steps", name))
	require.Contains(t, must(t, pool, "incidents", "rules"), "dead_letters")

	require.Contains(t, must(t, pool, "incidents", "acknowledge", name, "--until", "2h", "--actor", "ann"), "done: ")
	require.Contains(t, must(t, pool, "incidents", "acknowledge", name, "--until", "2h", "--actor", "ann"), "nothing to do: ")
	require.Regexp(t, `(?m)^acknowledged +.* by ann$`, must(t, pool, "incidents", "show", name))
	require.Regexp(t, `(?m)^for information +failing:`, must(t, pool, "incidents", "list"))

	r := tasker(t, pool, "incidents", "show", "failing:7")
	require.Equal(t, exitNotFound, r.code)
	require.Contains(t, r.err, `no incident of the last week is called "failing:7"`)
	require.Equal(t, exitNotFound, tasker(t, pool, "incidents", "steps", "failing:7").code)
	require.Equal(t, exitNotFound, tasker(t, pool, "incidents", "acknowledge", "failing:7").code)
	require.Equal(t, exitInvalid, tasker(t, pool, "incidents", "acknowledge", name, "--until", "-2h").code)
}

func TestStats_ShowsRatesAndTheSeries(t *testing.T) {
	t.Parallel()
	pool, _, _, _ := newWorked(t)
	out := must(t, pool, "stats", "--since", "30m", "--bucket", "1h")
	require.Regexp(t, `(?m)^tasks ended +1$`, out)
	require.Regexp(t, `(?m)^completed +1 \(100\.0%\)$`, out)
	require.Regexp(t, `(?m)^failed +0 \(0%\)$`, out)
	require.Regexp(t, `(?m)^task took +20\.0s on average$`, out)
	require.Regexp(t, `(?m)^results +5$`, out)
	require.Regexp(t, `(?m)^step took +1\.5s on average$`, out)
	require.Regexp(t, `(?m)^FROM +STARTED +COMPLETED +FAILED +CANCELLED +RESOLVED +TASK TOOK +RESULTS +FAILURES +STEP TOOK$`, out)

	var report statsReport
	require.NoError(t, json.Unmarshal([]byte(must(t, pool, "stats", "--json")), &report))
	require.EqualValues(t, 1, report.Metrics.CompletionCount)
	require.InDelta(t, 13, len(report.Throughput), 1, "the series has about a dozen rows")
	var started, results int64
	for _, row := range report.Throughput {
		started, results = started+row.TasksStarted, results+row.StepResults
	}
	require.EqualValues(t, 2, started)
	require.EqualValues(t, 5, results)

	require.NoError(t, json.Unmarshal([]byte(must(t, pool, "stats", "--json", "-n", "elsewhere")), &report))
	for _, row := range report.Throughput {
		require.Zero(t, row.TasksStarted)
	}
}

func TestStats_CountsUpToNowIfItIsToRefresh(t *testing.T) {
	t.Parallel()
	pool, _, _, worker := newWorked(t)
	createTask(t, pool, "shop/order", "-c", `{"late": true}`)
	for range 3 {
		workAs(t, pool, worker, "")
	}
	execute(t, pool, "select tasker_test.pass('2 min')")
	require.Regexp(t, `(?m)^tasks ended +2$`, must(t, pool, "stats"), "tasks that ended since the last rollup are counted")
	slow := must(t, pool, "slow", "steps")
	require.Regexp(t, `(?m)^reserve +3 +1 `, slow, "two results and a failure")
	require.Regexp(t, `(?m)^tasks ended +2$`, must(t, pool, "stats", "--refresh"))
	require.Equal(t, slow, must(t, pool, "slow", "steps"), "nor do the times of steps")
	require.Regexp(t, `(?m)^tasks ended +2$`, must(t, pool, "stats"), "the rollup does not change the count")

	createTask(t, pool, "shop/order", "-c", `{"later": true}`)
	workAs(t, pool, worker, "")
	execute(t, pool, "select tasker_test.pass('2 min')")
	require.Regexp(t, `(?m)^reserve +4 `, must(t, pool, "slow", "steps"))
	require.Regexp(t, `(?m)^reserve +4 `, must(t, pool, "slow", "steps", "--refresh"))
}

func TestStats_RefusesInvalidArguments(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	for _, test := range []struct {
		args []string
		code int
	}{
		{[]string{"stats", "--since", "yesterday"}, exitUsage},
		{[]string{"stats", "--since", ""}, exitUsage},
		{[]string{"stats", "--bucket", "90s"}, exitInvalid},
		{[]string{"stats", "--since", "8760h", "--bucket", "1m"}, exitInvalid},
		{[]string{"slow", "steps", "--limit", "0"}, exitUsage},
		{[]string{"slow", "tasks", "--since", "soon"}, exitUsage},
	} {
		r := tasker(t, pool, test.args...)
		require.Equal(t, test.code, r.code, "%v: %s", test.args, r.err)
		require.Empty(t, r.out)
	}
	require.Contains(t, must(t, pool, "stats"), "never: maintenance has not run yet\n")
}

func TestSuitableBucket_GivesAboutADozen(t *testing.T) {
	t.Parallel()
	for period, want := range map[time.Duration]time.Duration{
		0: time.Minute, time.Hour: 5 * time.Minute, 3 * time.Hour: 15 * time.Minute, 12 * time.Hour: time.Hour,
		7 * 24 * time.Hour: 24 * time.Hour, 365 * 24 * time.Hour: 5 * 7 * 24 * time.Hour,
	} {
		require.Equal(t, want, suitableBucket(period), period)
	}
}

func TestSlow_ShowsStepsAndTasks(t *testing.T) {
	t.Parallel()
	pool, _, _, _ := newWorked(t)
	out := must(t, pool, "slow", "steps")
	require.Regexp(t, `(?m)^STEP +RESULTS +FAILED +MEAN +P50 +P95 +P99 +MAX +TOTAL +LAST$`, out)
	require.Regexp(t, `(?m)^reserve +2  1 \(50\.0%\)  1\.5s .* 3\.0s +10m ago$`, out)
	require.Equal(t, 5, strings.Count(out, "\n"))
	require.Equal(t, 2, strings.Count(must(t, pool, "slow", "steps", "--limit", "1"), "\n"))

	out = must(t, pool, "slow", "tasks", "--name", "order", "--version", "1.0.0", "-n", "shop")
	require.Regexp(t, `(?m)^shop/order@1\.0\.0 +1  4\.0 +20\.0s `, out)
	for _, args := range [][]string{{"slow", "tasks", "--name", "return"}, {"slow", "steps", "-n", "elsewhere"}, {"slow", "steps", "--since", "1m"}} {
		r := tasker(t, pool, args...)
		require.Equal(t, exitDone, r.code)
		require.Empty(t, r.out, args)
		require.Regexp(t, "^no .* in that time\n$", r.err)
	}
}

func TestAudit_ShowsWhoRecordedWhat(t *testing.T) {
	t.Parallel()
	pool, complete, blocked, worker := newWorked(t)
	row := func(step, verdict, what string) string {
		return `(?m)^20\d\d-\S+ \S+ +` + step + ` +` + verdict + ` +[1-9]\d*  1\.5s +` + shortID(worker) + ` +postgres` + what + `$`
	}
	out := must(t, pool, "audit", "task", complete)
	require.Regexp(t, `(?m)^TIME +STEP +RESULT +CLAIM  TOOK +BY +LOGIN +WHAT$`, out)
	require.Regexp(t, row("ship", "success", ""), out)
	require.Equal(t, 5, strings.Count(out, "\n"))
	require.Equal(t, 2, strings.Count(must(t, pool, "audit", "task", complete, "--limit", "1"), "\n"))

	require.Regexp(t, row("reserve", "failure", " +no stock"), must(t, pool, "audit", "step", blocked, "reserve"))
	require.Equal(t, must(t, pool, "audit", "step", blocked, "reserve"), must(t, pool, "audit", "step", stepOf(blocked, 1)))

	require.Equal(t, 6, strings.Count(must(t, pool, "audit", "worker", worker.String()), "\n"))
	require.Equal(t, 5, strings.Count(must(t, pool, "audit", "correlation", complete), "\n"))
	require.Equal(t, 6, strings.Count(must(t, pool, "audit", "range", "--since", "1h"), "\n"))
	out = must(t, pool, "audit", "range", "--failed")
	require.Equal(t, 2, strings.Count(out, "\n"))
	require.Contains(t, out, short(blocked))
	require.Equal(t, 5, strings.Count(must(t, pool, "audit", "range", "--succeeded", "-n", "shop"), "\n"))
	require.Equal(t, 3, strings.Count(must(t, pool, "audit", "range", "--offset", "3"), "\n"))

	r := tasker(t, pool, "audit", "range", "--since", "1m")
	require.Equal(t, result{exitDone, "", "no results were recorded\n"}, r)
	require.Equal(t, "[]\n", must(t, pool, "audit", "worker", complete, "--json"))
}

func TestAudit_NamesThePersonWhoDidIt(t *testing.T) {
	t.Parallel()
	pool, task := newBlocked(t)
	must(t, pool, "step", "complete", task, "reserve", "--actor", "ann", "-r", "found it")
	require.Regexp(t, `(?m)reserve +success .* ann +postgres +found it$`, must(t, pool, "audit", "task", task))
}

func TestAuditCheck_ProvesThatNothingWasAltered(t *testing.T) {
	t.Parallel()
	pool, complete, _, _ := newWorked(t)
	must(t, pool, "limit", "set", "shop/api", "--concurrency", "3")
	require.Regexp(t, `limits +shop/api +update .* set_limit\n`, must(t, pool, "audit", "changes", "--kind", "limits", "--object", "shop/api"))
	for _, args := range []string{
		"limit set shop/api --concurrency 5", "limit drop shop/api", "settings set max_attempts 7", "namespace pause shop", "namespace resume shop",
		"subscription create feed", "subscription drop feed", "token create ops --role reader --namespaces all --json", "token revoke ops",
	} {
		must(t, pool, append(strings.Fields(args), "--reason", args, "--actor", "ann")...)
		require.Contains(t, must(t, pool, "audit", "changes", "--limit", "1", "--json"), `"reason": "`+args+`"`)
		require.Contains(t, must(t, pool, "audit", "changes", "--limit", "1", "--json"), `"actor": "ann"`)
	}
	must(t, pool, "limit", "set", "shop/api", "--concurrency", "4", "--reason", "the bank is slow")
	require.Contains(t, must(t, pool, "audit", "changes", "--kind", "limits"), "the bank is slow")
	require.Equal(t, result{exitDone, "", "nothing has changed\n"}, tasker(t, pool, "audit", "changes", "--object", "shop/none"))
	require.Equal(t, "nothing is wrong\n", must(t, pool, "audit", "check"))
	require.Equal(t, "[]\n", must(t, pool, "audit", "check", "--since", "2h", "--json"))

	execute(t, pool, `begin;
		alter table tasker.step_log disable trigger step_log_append_only;
		delete from tasker.step_log where task_uuid = '`+complete+`' and sort_key = 4;
		alter table tasker.step_log enable always trigger step_log_append_only;
		commit`)
	r := tasker(t, pool, "audit", "check")
	require.Equal(t, exitNo, r.code)
	require.Empty(t, r.err)
	require.Contains(t, r.out, short(complete))
	var problems []gen.IntegrityProblem
	r = tasker(t, pool, "audit", "check", "--json")
	require.Equal(t, exitNo, r.code)
	require.NoError(t, json.Unmarshal([]byte(r.out), &problems))
	require.Len(t, problems, 8, "the log lacks four results and the digest of each")
}

func TestAudit_RefusesInvalidArguments(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	const nobody = "0199d0c4-7a11-7c3e-8f00-5b1d2c3a0000"
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"audit", "worker", "ann"}, exitNotFound, "tasker: WORKER \"ann\" is the id or name of no worker\n  hint: tasker worker list --all"},
		{[]string{"audit", "correlation", "x"}, exitUsage, "tasker: CORRELATION is a UUID"},
		{[]string{"audit", "task", nobody}, exitNotFound, "does not exist (TK404)"},
		{[]string{"audit", "step", nobody, "reserve"}, exitNotFound, ""},
		{[]string{"audit", "task", nobody, "--limit", "0"}, exitUsage, "tasker: --limit is at least 1"},
		{[]string{"audit", "range", "--failed", "--succeeded"}, exitUsage, "exclude each other"},
		{[]string{"audit", "range", "--since", ""}, exitUsage, "--since is not empty"},
		{[]string{"audit", "range", "--until", "x"}, exitUsage, "--until is a time"},
		{[]string{"audit", "check", "--limit", "0"}, exitUsage, "tasker: --limit is at least 1"},
	} {
		r := tasker(t, pool, test.args...)
		require.Equal(t, test.code, r.code, "%v: %s", test.args, r.err)
		require.Contains(t, r.err, test.want)
		require.Empty(t, r.out)
	}
}

func TestDLQ_ListsShowsAndResolves(t *testing.T) {
	t.Parallel()
	pool, task := newBlocked(t)
	r := tasker(t, pool, "dlq", "list")
	require.Equal(t, result{exitDone, "", "there are no such investigations\n"}, r)
	r = tasker(t, pool, "dlq", "dashboard")
	require.Equal(t, result{exitDone, "", "the dead-letter queue has never had an entry\n"}, r)

	entry := openDLQEntry(t, pool, task)
	execute(t, pool, "select tasker_test.pass('90 min')")
	require.Regexp(t, `(?m)^`+short(entry)+`  `+short(task)+`  shop/order@1\.0\.0  manual_dlq  pending  blocked_by_failures  1h30m$`, must(t, pool, "dlq", "list", "--task", task))
	out := must(t, pool, "dlq", "show", entry)
	require.Regexp(t, `(?m)^began +20.* \(1h30m ago\)$`, out)
	require.Regexp(t, `(?m)^notes +looked odd$`, out)
	require.Contains(t, must(t, pool, "dlq", "show", entry, "--json"), `"task_snapshot": {`)

	require.Equal(t, "done: entry "+entry+" is permanently_failed, task "+task+" is blocked_by_failures\n",
		must(t, pool, "dlq", "resolve", entry, "--as", "permanently_failed", "--notes", "the supplier is gone"))
	require.Equal(t, "nothing to do: entry "+entry+" is permanently_failed, task "+task+" is blocked_by_failures\n",
		must(t, pool, "dlq", "resolve", entry))
	require.Contains(t, must(t, pool, "dlq", "show", entry), "the supplier is gone")
	require.Equal(t, "[]\n", must(t, pool, "dlq", "list", "--json"), "the list has only pending investigations")
	require.Contains(t, must(t, pool, "dlq", "list", "--status", "any", "--for", "manual_dlq", "-n", "shop"), short(entry))
	require.Regexp(t, `(?m)^manual_dlq +1 +0 +0 +1 +0  20.*  20.*  1h30m$`, must(t, pool, "dlq", "dashboard"))
}

func TestDLQCreate_OpensOneInvestigationOfATask(t *testing.T) {
	t.Parallel()
	pool, task := newBlocked(t)
	out := must(t, pool, "dlq", "create", task, "--for", "max_retries_exceeded", "--notes", "charged twice?", "--metadata", `{"ticket": 7}`)
	require.Regexp(t, `^done: entry [0-9a-f-]{36} is pending, task `+task+` is blocked_by_failures\n$`, out)
	entry := strings.Fields(out)[2]
	out = must(t, pool, "dlq", "show", entry)
	for _, line := range []string{`reason +max_retries_exceeded`, `status +pending`, `notes +charged twice\?`, `metadata +\{"ticket": 7, "created_by": ".*"\}`} {
		require.Regexp(t, "(?m)^"+line+"$", out)
	}
	require.Contains(t, must(t, pool, "dlq", "create", task, "--json"), `"dlq_entry_uuid": "`+entry+`"`, "create returns the open investigation")
	require.Contains(t, must(t, pool, "dlq", "list"), short(entry))
}

func TestDLQRequeue_MakesTheTaskRunAgain(t *testing.T) {
	t.Parallel()
	pool, task := newBlocked(t)
	entry := openDLQEntry(t, pool, task)
	var changed struct {
		Changed bool   `json:"changed"`
		Status  string `json:"resolution_status"`
		State   string `json:"current_state"`
	}
	require.NoError(t, json.Unmarshal([]byte(must(t, pool, "dlq", "requeue", entry, "--json")), &changed))
	require.True(t, changed.Changed)
	require.Equal(t, "manually_resolved", changed.Status)
	require.Equal(t, "steps_in_process", changed.State)
	work(t, pool, "")
	require.Contains(t, must(t, pool, "task", "show", task), "reserve  complete")

	entry = openDLQEntry(t, pool, task)
	must(t, pool, "task", "cancel", task)
	require.Equal(t, exitConflict, tasker(t, pool, "dlq", "requeue", entry).code)
}

func TestDLQ_RefusesInvalidArguments(t *testing.T) {
	t.Parallel()
	pool, task := newBlocked(t)
	entry := openDLQEntry(t, pool, task)
	const nobody = "0199d0c4-7a11-7c3e-8f00-5b1d2c3a0000"
	for _, test := range []struct {
		args []string
		code int
	}{
		{[]string{"dlq", "create", "x"}, exitUsage},
		{[]string{"dlq", "create", nobody}, exitNotFound},
		{[]string{"dlq", "create", task, "--for", "boredom"}, exitInvalid},
		{[]string{"dlq", "create", task, "--metadata", "{"}, exitInvalid},
		{[]string{"dlq", "create", task, "--metadata", "[]"}, exitInvalid},
		{[]string{"dlq", "show", "x"}, exitUsage},
		{[]string{"dlq", "show", nobody}, exitNotFound},
		{[]string{"dlq", "resolve", nobody}, exitNotFound},
		{[]string{"dlq", "requeue", nobody}, exitNotFound},
		{[]string{"dlq", "resolve", entry, "--as", "forgotten"}, exitInvalid},
		{[]string{"dlq", "list", "--limit", "0"}, exitUsage},
		{[]string{"dlq", "list", "--task", "x"}, exitUsage},
		{[]string{"dlq", "list", "--before", "x"}, exitUsage},
	} {
		r := tasker(t, pool, test.args...)
		require.Equal(t, test.code, r.code, "%v: %s", test.args, r.err)
		require.Empty(t, r.out)
	}
}

func TestOrchestrate_ServesMetricsAndRunsMaintenance(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	must(t, pool, "apply", file(t, "order.yaml", order))
	createTask(t, pool, "shop/order")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	logged := watch("msg=orchestrating ")
	code := make(chan int, 1)
	go func() {
		code <- Main(ctx, Process{
			Args: []string{"orchestrate", "--metrics", "127.0.0.1:0"}, In: strings.NewReader(""), Out: io.Discard, Err: logged,
			Getenv: func(name string) string { return map[string]string{"DATABASE_URL": pgtest.URL(pool)}[name] },
		})
	}()
	<-logged.seen
	found := regexp.MustCompile(`msg="serving metrics" address=(\S+)`).FindStringSubmatch(logged.String())
	require.Len(t, found, 2, logged.String())

	scrape := func(path string) (int, string) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+found[1]+path, nil)
		require.NoError(t, err)
		request.Close = true
		response, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		var body bytes.Buffer
		_, err = body.ReadFrom(response.Body)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		return response.StatusCode, body.String()
	}
	status, body := scrape("/metrics")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, body, "\npgtasker_up 1\n")
	status, body = scrape("/healthz")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, "ok\n", body)
	status, _ = scrape("/")
	require.Equal(t, http.StatusNotFound, status)

	require.Eventually(t, func() bool {
		duties, err := direct.New(pool).ListMaintenanceDuties(t.Context())
		require.NoError(t, err)
		for _, duty := range duties {
			if duty.Runs == 0 {
				return false
			}
		}
		return true
	}, 2*time.Minute, 20*time.Millisecond, "every duty of maintenance")

	r := tasker(t, pool, "orchestrate", "--metrics", found[1])
	require.Equal(t, exitFailed, r.code)
	require.Contains(t, r.err, `tasker: metrics cannot be served at "`+found[1])
	require.Equal(t, exitUsage, tasker(t, pool, "orchestrate", "--once", "--metrics", "127.0.0.1:0").code)
	cancel()
	require.Equal(t, exitDone, <-code, logged.String())
	require.NotContains(t, logged.String(), "level=ERROR")
}

func TestMaintain_RunsDutiesThatAreDueOrNamed(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	out := must(t, pool, "maintain")
	require.Regexp(t, `(?m)^partitions +0$`, out)
	require.Regexp(t, `(?m)^retention +0$`, out)
	require.Contains(t, tasker(t, pool, "maintain").err, "nothing is due")
	require.Regexp(t, `^DUTY +DONE  DETAIL\nidentities +0\n$`, must(t, pool, "maintain", "identities"))
	var duties []gen.MaintenanceDuty
	require.NoError(t, json.Unmarshal([]byte(must(t, pool, "maintain", "--all", "--json")), &duties))
	require.Len(t, duties, 11)

	duties = nil
	require.NoError(t, json.Unmarshal([]byte(must(t, pool, "partition", "maintain", "--json")), &duties))
	var names []string
	for _, duty := range duties {
		names = append(names, duty.Duty)
	}
	require.Equal(t, []string{"partitions", "retention", "identities", "archives", "statistics"}, slices.Compact(names))

	require.Equal(t, exitNotFound, tasker(t, pool, "maintain", "sweeping").code)
	require.Equal(t, exitUsage, tasker(t, pool, "maintain", "--all", "rollups").code)
	execute(t, pool, "delete from tasker.rollup_state")
	failed := tasker(t, pool, "maintain", "rollups")
	require.Equal(t, exitNo, failed.code)
	require.Contains(t, failed.out, "query returned no rows")
}
