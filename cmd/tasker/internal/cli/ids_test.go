package cli

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

func TestShortIDs_AreTakenWhereWholeOnesAre(t *testing.T) {
	t.Parallel()
	pool, task := newBlocked(t)
	entry := openDLQEntry(t, pool, task)
	execute(t, pool, "select tasker_test.freeze_tasklib()")
	execute(t, pool, "select from tasklib.register_task('echo')")
	job := submitJob(t, pool, "echo")
	for _, test := range []struct{ whole, short string }{
		{"task show " + task, "task show " + short(task)},
		{"task show " + task, "task show " + strings.ToUpper(short(task)[:6])},
		{"task show " + task, "task show latest"},
		{"task tree " + task, "task tree " + short(task)},
		{"task history " + task, "task history " + short(task)},
		{"task list --before " + task, "task list --before " + short(task)},
		{"audit task " + task, "audit task " + short(task)},
		{"audit step " + task + " reserve", "audit step " + short(task) + " reserve"},
		{"step show " + stepOf(task, 1), "step show " + short(task) + ".1"},
		{"step show " + stepOf(task, 1), "step show " + short(task) + " reserve"},
		{"step explain " + stepOf(task, 4), "step explain " + short(task) + ".4"},
		{"step history " + stepOf(task, 1), "step history latest reserve"},
		{"dlq list --task " + task, "dlq list --task " + short(task)},
		{"dlq list --before " + entry, "dlq list --before " + short(entry)},
		{"dlq show " + entry, "dlq show " + short(entry)},
		{"job show " + job, "job show " + short(job)},
		{"job list --before " + job, "job list --before " + short(job)},
		{"task cancel " + task, "task cancel " + short(task)},
	} {
		whole := tasker(t, pool, strings.Fields(test.whole)...)
		require.Equal(t, exitDone, whole.code, "%s: %s", test.whole, whole.err)
		have := tasker(t, pool, strings.Fields(test.short)...)
		if strings.HasPrefix(test.whole, "task cancel") {
			whole.out = strings.Replace(whole.out, "done:", "nothing to do:", 1)
		}
		require.Equal(t, whole, have, test.short)
	}
}

func TestFindTask_ListsWhatSeveralMatch(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	var tasks []string
	for _, digits := range []string{"aabbccdd", "aabbcc00"} {
		mint := uuid.Must(uuid.NewV7()).String()
		tasks = append(tasks, createTask(t, pool, "shop/order", "-c", fmt.Sprintf(`{"n": %q}`, digits), "--uuid", mint[:24]+digits+"0000", "-t", "pair"))
	}
	for _, text := range []string{"aabbcc", "tag:pair"} {
		r := tasker(t, pool, "task", "cancel", text)
		require.Equal(t, exitConflict, r.code)
		require.Contains(t, r.err, `tasker: 2 tasks are "`+text+`"`)
		for _, task := range tasks {
			require.Contains(t, r.err, "  "+task+" shop/order@1.0.0 steps_in_process, ")
		}
		require.Contains(t, r.err, "hint: Say which one, by its id.")
	}
	require.Contains(t, must(t, pool, "task", "show", "aabbccd"), tasks[0])
}

func TestFindTask_FindsByIdentityKeyAndByTag(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	must(t, pool, "apply", file(t, "replenish.yaml", replenish))
	task := createTask(t, pool, "warehouse_north/replenish_the_shelves", "--key", "shelves-7", "-t", "nightly")
	createTask(t, pool, "warehouse_north/replenish_the_shelves", "--key", "shelves-8")
	require.Contains(t, must(t, pool, "task", "show", "key:shelves-7"), task)
	require.Contains(t, must(t, pool, "task", "show", "tag:nightly"), task)
	require.Contains(t, must(t, pool, "step", "show", "key:shelves-7", "count_what_is_left"), stepOf(task, 1))
	require.Contains(t, must(t, pool, "task", "list", "--key", "shelves-7"), short(task))
	require.Equal(t, 2, strings.Count(must(t, pool, "task", "list", "--key", "shelves-7", "-n", "warehouse_north"), "\n"))
	require.Equal(t, "there are no such tasks\n", tasker(t, pool, "task", "list", "--key", "shelves-7", "-n", "shop").err)
}

func TestFindTask_SaysWhatItDidNotFind(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	task := createTask(t, pool, "shop/order")
	other := "0" + short(task)[1:]
	if other == short(task) {
		other = "1" + short(task)[1:]
	}
	for _, test := range []struct {
		args string
		code int
		want string
	}{
		{"task show " + other, exitNotFound, "no task is \"" + other + "\" among the 200,000 newest tasks of the last 30 days\n  hint: An older task is found by its whole id"},
		{"task show key:nothing", exitNotFound, `no task has the identity key "nothing"`},
		{"task show tag:nothing", exitNotFound, `no task is "tag:nothing" among`},
		{"task show abc", exitUsage, `TASK is an id, key:KEY or tag:TAG, not "abc"`},
		{"task cancel latest", exitUsage, "TASK is latest, which may be another task by now"},
		{"step show " + short(task), exitUsage, `"` + short(task) + "\" is a task: its step is missing\n  hint: Name the step too, or put its number behind a dot: " + short(task) + ".1."},
		{"step show " + short(task) + ".9", exitNotFound, "step " + short(task) + ".9 does not exist"},
		{"step show " + short(task) + " reserv", exitNotFound, "has no step \"reserv\"\n  hint: Did you mean reserve?"},
		{"dlq show 00000000", exitNotFound, `no ENTRY is "00000000" among the 200,000 newest`},
		{"job show 00000000", exitNotFound, `no JOB is "00000000" among the 200,000 newest`},
		{"audit worker missing", exitNotFound, `WORKER "missing" is the id or name of no worker`},
		{"task list --count --parent a", exitUsage, "--parent is an id"},
	} {
		r := tasker(t, pool, strings.Fields(test.args)...)
		require.Equal(t, test.code, r.code, "%s: %s", test.args, r.err)
		require.Contains(t, r.err, test.want)
		require.Empty(t, r.out)
	}
}

func TestWorkerList_NamesWorkersThatAuditFinds(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	e := executor.New(pool)
	first, second := uuid.New(), uuid.New()
	for worker, name := range map[uuid.UUID]string{first: "vm:908", second: "vm:909"} {
		_, err := e.RegisterWorker(t.Context(), sqlfn.RegisterWorkerParams{WorkerUUID: worker, Name: name, Namespaces: []string{"shop"}})
		require.NoError(t, err)
	}
	createTask(t, pool, "shop/order")
	workAs(t, pool, first, "")
	execute(t, pool, "select tasker_test.pass('5 min')")
	out := must(t, pool, "worker", "list")
	require.Regexp(t, `(?m)^`+shortID(first)+`  vm:908 +shop +1  5m ago  20.*Z$`, out)
	require.Regexp(t, `(?m)^`+shortID(second)+`  vm:909 +shop +0  5m ago`, out)
	require.Contains(t, must(t, pool, "worker", "list", "--wide"), first.String())
	require.Equal(t, must(t, pool, "audit", "worker", first.String()), must(t, pool, "audit", "worker", "vm:908"))
	require.Equal(t, must(t, pool, "audit", "worker", first.String()), must(t, pool, "audit", "worker", shortID(first)))

	execute(t, pool, "select tasker_test.pass('6 min')")
	require.Equal(t, "no worker was seen in that time\n", tasker(t, pool, "worker", "list").err)
	require.Contains(t, must(t, pool, "worker", "list", "--all"), "vm:909")
}
