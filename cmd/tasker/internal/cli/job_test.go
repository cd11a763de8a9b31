package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/tasklib"
	tasklibgen "github.com/pgtasker/pgtasker/tasklib/gen"
)

// newEcho returns a database whose tasklib has a frozen clock and the name "echo", which is tried once.
func newEcho(t *testing.T) *pgxpool.Pool {
	t.Helper()
	pool := pgtest.New(t)
	execute(t, pool, "select tasker_test.freeze_tasklib()")
	execute(t, pool, `select from tasklib.register_task('echo', '{"max_retries": 0}')`)
	return pool
}

// submitJob submits a job and returns its id.
func submitJob(t *testing.T, pool *pgxpool.Pool, args ...string) string {
	t.Helper()
	var submitted tasklibgen.TaskSubmission
	out := must(t, pool, append([]string{"job", "submit", "--json"}, args...)...)
	require.NoError(t, json.Unmarshal([]byte(out), &submitted))
	require.True(t, submitted.Created)
	return submitted.ID.String()
}

// failJob runs the next job for 2 seconds and reports a failure.
func failJob(t *testing.T, pool *pgxpool.Pool, message string) {
	t.Helper()
	failJobOf(t, pool, "echo", "w1", message)
}

func failJobOf(t *testing.T, pool *pgxpool.Pool, name, worker, message string) {
	t.Helper()
	f := tasklib.NewFunctions(pool)
	claimed, err := f.ClaimTasks(t.Context(), tasklibgen.ClaimTasksParams{Names: []string{name}, WorkerID: worker, MaxTasks: 1})
	require.NoError(t, err)
	require.Len(t, claimed, 1)
	execute(t, pool, "select tasker_test.pass('2 s')")
	outcomes, err := f.FailTasks(t.Context(), tasklibgen.FailTasksParams{
		WorkerID: worker, Ids: []uuid.UUID{claimed[0].ID}, ClaimNos: []int32{claimed[0].ClaimNo}, Errors: []string{message},
	})
	require.NoError(t, err)
	require.Equal(t, "failed", outcomes[0].Outcome)
}

func TestJob_SubmitsAndFindsByKey(t *testing.T) {
	t.Parallel()
	pool := newEcho(t)
	out := must(t, pool, "job", "submit", "echo", "--kwargs", `{"n": 1}`, "--dedup-key", "monday", "--delay", "10m", "--max-retries", "2", "--timeout", "90s", "-p", "5", "--tags", `{"order": 7}`)
	require.Regexp(t, `^[0-9a-f-]{36} created\n$`, out)
	id := strings.Fields(out)[0]
	require.Equal(t, id+" exists\n", must(t, pool, "job", "submit", "echo", "--dedup-key", "monday"))

	require.Regexp(t, `(?m)^`+short(id)+`  echo  pending  0/2 +0s +in 10m$`, must(t, pool, "job", "list", "--tags", `{"order": 7}`))
	out = must(t, pool, "job", "show", id)
	for _, line := range []string{`retries +0 of 2`, `priority +5`, `timeout +1m30s`, `due +20.* \(in 10m\)`, `key +monday`, `tags +\{"order": 7\}`, `arguments +\{"n": 1\}`} {
		require.Regexp(t, "(?m)^"+line+"$", out)
	}
	r := tasker(t, pool, "job", "list", "--state", "failed")
	require.Equal(t, result{exitDone, "", "there are no such jobs\n"}, r)
	require.Equal(t, "[]\n", must(t, pool, "job", "list", "--name", "other", "--json"))
}

func TestJob_ShowsTheRunsAndTriesAgain(t *testing.T) {
	t.Parallel()
	pool := newEcho(t)
	execute(t, pool, "select tasklib.set_setting('audit_runs', 'true')")
	id := submitJob(t, pool, "echo")
	failJob(t, pool, "no echo here")

	require.Regexp(t, `(?m)^`+short(id)+`  echo  failed +0/0 +2s +no echo here$`, must(t, pool, "job", "list", "-s", "failed"))
	out := must(t, pool, "job", "show", id)
	require.Regexp(t, `(?m)^error +no echo here$`, out)
	require.Regexp(t, `(?m)^ +1  20\S+ \S+  2s +w1 +failed +no echo here$`, out)
	require.Regexp(t, `(?m)^echo +0 +0 +0 +1 +1 +0 +0 `, must(t, pool, "job", "stats", "echo"))

	require.Equal(t, "done: job "+id+" is pending\n", must(t, pool, "job", "retry", id, "--delay", "1h"))
	require.Equal(t, "nothing to do: job "+id+" is pending\n", must(t, pool, "job", "retry", id))
	require.Equal(t, "done: job "+id+" is cancelled\n", must(t, pool, "job", "cancel", id, "--reason", "enough"))
	require.Equal(t, "nothing to do: job "+id+" is cancelled\n", must(t, pool, "job", "cancel", id))
	require.Contains(t, actions(t, pool, id), "enough")
}

// actions returns what people did to a job.
func actions(t *testing.T, pool *pgxpool.Pool, id string) string {
	t.Helper()
	task := uuid.MustParse(id)
	rows, err := tasklib.NewFunctions(pool).ListTaskActions(t.Context(), &task, nil, 10)
	require.NoError(t, err)
	content, err := json.Marshal(rows)
	require.NoError(t, err)
	return string(content)
}

func TestJobStats_SaysWhatIsHeldUp(t *testing.T) {
	t.Parallel()
	pool := newEcho(t)
	submitJob(t, pool, "echo")
	submitJob(t, pool, "echo", "--delay", "1h")
	execute(t, pool, "select tasklib.pause_task('echo')")
	execute(t, pool, "select tasker_test.pass('5 min')")
	require.Regexp(t, `(?m)^echo +1  5m +1 +0 +0 +2 +0 +0 +paused$`, must(t, pool, "job", "stats"))
}

func TestJobSchedules_ShowsTheNextTick(t *testing.T) {
	t.Parallel()
	pool := newEcho(t)
	r := tasker(t, pool, "job", "schedules")
	require.Equal(t, result{exitDone, "", "there are no schedules\n"}, r)
	execute(t, pool, "select tasker_test.freeze_tasklib('2050-03-01 12:00+00')")
	execute(t, pool, "select from tasklib.schedule_task('nightly', 'echo', '0 2 * * *', 'Europe/Berlin')")
	require.Equal(t, strings.TrimPrefix(`
SCHEDULE  JOBS OF  CRON       ZONE           MISSED  NEXT    LAST
nightly   echo     0 2 * * *  Europe/Berlin  once    in 13h
`, "\n"), must(t, pool, "job", "schedules"))
}

func TestJobPause_StopsClaimsUntilResume(t *testing.T) {
	t.Parallel()
	pool := newEcho(t)
	submitJob(t, pool, "echo")
	require.Equal(t, "done: the jobs of echo are paused\n", must(t, pool, "job", "pause", "echo"))
	require.Equal(t, "nothing to do: the jobs of echo are paused\n", must(t, pool, "job", "pause", "echo"))
	claim := tasklibgen.ClaimTasksParams{Names: []string{"echo"}, WorkerID: "w1", MaxTasks: 1}
	claimed, err := tasklib.NewFunctions(pool).ClaimTasks(t.Context(), claim)
	require.NoError(t, err)
	require.Empty(t, claimed)
	require.Equal(t, "done: the jobs of echo are running\n", must(t, pool, "job", "resume", "echo"))
	require.JSONEq(t, `{"changed": false}`, must(t, pool, "job", "resume", "echo", "--json"))
	claimed, err = tasklib.NewFunctions(pool).ClaimTasks(t.Context(), claim)
	require.NoError(t, err)
	require.Len(t, claimed, 1)
}

func TestJobPurge_DeletesWhatEndedLongAgo(t *testing.T) {
	t.Parallel()
	pool := newEcho(t)
	old := submitJob(t, pool, "echo")
	failJob(t, pool, "no")
	execute(t, pool, "select tasker_test.pass('2 h')")
	cancelled := submitJob(t, pool, "echo")
	must(t, pool, "job", "cancel", cancelled)
	execute(t, pool, "select tasker_test.pass('2 h')")
	open := submitJob(t, pool, "echo")

	require.Equal(t, "0 jobs deleted\n", must(t, pool, "job", "purge", "--until", "3h", "--state", "completed", "--yes"))
	require.Equal(t, "0 jobs deleted\n", must(t, pool, "job", "purge", "--until", "3h", "--name", "other", "--yes"))
	require.Equal(t, "1 job deleted\n", must(t, pool, "job", "purge", "--until", "3h", "--yes"))
	require.Equal(t, exitNotFound, tasker(t, pool, "job", "show", old).code)

	r := taskerWith(t, pgtest.URL(pool), "no\n", "job", "purge", "--until", "1h", "--name", "echo", "--state", "cancelled")
	require.Equal(t, exitFailed, r.code)
	require.Regexp(t, `^All cancelled jobs of "echo" that ended before 20.* are deleted\. Type the database's name \(.*\) to go on: `, r.err)
	r = taskerWith(t, pgtest.URL(pool), pool.Config().ConnConfig.Database+"\n", "job", "purge", "--until", "1h", "--json")
	require.Equal(t, exitDone, r.code, r.err)
	require.JSONEq(t, `{"deleted": 1}`, r.out)
	require.Equal(t, exitNotFound, tasker(t, pool, "job", "show", cancelled).code)
	must(t, pool, "job", "show", open)
}

func TestJobSchedule_IsMadeChangedAndEnded(t *testing.T) {
	t.Parallel()
	pool := newEcho(t)
	execute(t, pool, "select tasker_test.freeze_tasklib('2050-03-01 12:00+00')")
	require.Equal(t, "done: schedule nightly submits echo next at 2050-03-02 01:00:00Z (in 13h)\n", must(t, pool,
		"job", "schedule", "nightly", "echo", "--cron", "0 2 * * *", "--timezone", "Europe/Berlin", "--kwargs", `{"n": 1}`, "--missed", "all",
		"-p", "5", "--max-retries", "2", "--timeout", "90s", "--tags", `{"kind": "night"}`))
	schedules, err := tasklib.NewFunctions(pool).ListSchedules(t.Context())
	require.NoError(t, err)
	require.Len(t, schedules, 1)
	s := schedules[0]
	require.JSONEq(t, `{"n": 1}`, string(s.Kwargs))
	require.JSONEq(t, `{"kind": "night"}`, string(s.Tags))
	require.Equal(t, "all", s.Missed)
	require.EqualValues(t, 5, s.Priority)
	require.EqualValues(t, 2, *s.MaxRetries)
	require.EqualValues(t, 90, *s.TimeoutSeconds)

	require.Contains(t, must(t, pool, "job", "schedule", "nightly", "echo", "--cron", "0 3 * * *"), "next at 2050-03-02 03:00:00")
	require.Equal(t, "done: schedule \"nightly\" has ended\n", must(t, pool, "job", "unschedule", "nightly"))
	require.Equal(t, "nothing to do: there is no schedule \"nightly\"\n", must(t, pool, "job", "unschedule", "nightly"))
	require.Equal(t, "[]\n", must(t, pool, "job", "schedules", "--json"))
}

func TestJob_RefusesInvalidArguments(t *testing.T) {
	t.Parallel()
	pool := newEcho(t)
	const nobody = "0199d0c4-7a11-7c3e-8f00-5b1d2c3a0000"
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"job", "submit", "unheard_of"}, exitNotFound, "(TK404)"},
		{[]string{"job", "submit", "echo", "--kwargs", "{"}, exitInvalid, "tasker: --kwargs is not JSON\n"},
		{[]string{"job", "submit", "echo", "--kwargs", "[1]"}, exitInvalid, "(TK422)"},
		{[]string{"job", "submit", "echo", "--kwargs", "@/nowhere"}, exitInvalid, "tasker: --kwargs: open /nowhere: no such file or directory\n"},
		{[]string{"job", "submit", "echo", "--timeout", "1500ms"}, exitUsage, "--timeout is a whole number of seconds, not 1.5s"},
		{[]string{"job", "submit", "echo", "--max-retries", "-1"}, exitInvalid, "(TK422)"},
		{[]string{"job", "list", "--state", "asleep"}, exitInvalid, "(TK422)"},
		{[]string{"job", "list", "--limit", "0"}, exitUsage, "tasker: --limit is at least 1"},
		{[]string{"job", "list", "--before", "x"}, exitUsage, "tasker: --before is a UUID, not \"x\"\n  hint: tasker job list prints them.\n"},
		{[]string{"job", "show", "x"}, exitUsage, "JOB is a UUID"},
		{[]string{"job", "show", nobody}, exitNotFound, "(TK404)"},
		{[]string{"job", "retry", nobody}, exitNotFound, "(TK404)"},
		{[]string{"job", "cancel", nobody}, exitNotFound, "(TK404)"},
		{[]string{"job", "stats", "unheard_of"}, exitNotFound, "(TK404)"},
		{[]string{"job", "pause", "unheard_of"}, exitNotFound, "(TK404)"},
		{[]string{"job", "resume", "unheard_of"}, exitNotFound, "(TK404)"},
		{[]string{"job", "purge", "--yes"}, exitUsage, "tasker: --until is missing\n  hint: Say when the jobs must have ended"},
		{[]string{"job", "purge", "--until", "long ago", "--yes"}, exitUsage, "--until is a time such as"},
		{[]string{"job", "purge", "--until", "1h", "--state", "running", "--yes"}, exitInvalid, "(TK422)"},
		{[]string{"job", "schedule", "s", "echo"}, exitUsage, "tasker: --cron is missing\n  hint: For example"},
		{[]string{"job", "schedule", "s", "echo", "--cron", "at noon"}, exitInvalid, "(TK422)"},
		{[]string{"job", "schedule", "s", "echo", "--cron", "0 2 * * *", "--timezone", "Mars/Olympus"}, exitInvalid, "(TK422)"},
		{[]string{"job", "schedule", "s", "echo", "--cron", "0 2 * * *", "--missed", "twice"}, exitInvalid, "(TK422)"},
		{[]string{"job", "schedule", "s", "echo", "--cron", "0 2 * * *", "--kwargs", "{"}, exitInvalid, "tasker: --kwargs is not JSON\n"},
		{[]string{"job", "schedule", "s", "echo", "--cron", "0 2 * * *", "--timeout", "1ms"}, exitUsage, "--timeout is a whole number"},
		{[]string{"job", "schedule", "s", "unheard_of", "--cron", "0 2 * * *"}, exitNotFound, "(TK404)"},
	} {
		r := tasker(t, pool, test.args...)
		require.Equal(t, test.code, r.code, "%v: %s", test.args, r.err)
		require.Contains(t, r.err, test.want, test.args)
		require.Empty(t, r.out)
	}
}
