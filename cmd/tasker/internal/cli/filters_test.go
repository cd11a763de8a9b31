package cli

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// taskUUIDs finds the UUIDs of tasks in JSON.
var taskUUIDs = regexp.MustCompile(`"task_uuid": ?"([^"]*)"`)

// Each filter of the page's list of tasks is one of the command line; they go together, sort, and count.
func TestTaskList_TakesTheFiltersOfThePage(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	failing := createTask(t, pool, "shop/order", "-c", `{"no": 1}`)
	work(t, pool, "no stock in Bremen")
	execute(t, pool, "select tasker_test.pass('1 second')")
	second := createTask(t, pool, "shop/order", "-c", `{"no": 2}`)
	for args, want := range map[string][]string{
		"--error bremen":                               {failing},
		"--error bremen --handler reserve":             {failing},
		"--error bremen --step nothing":                nil,
		"--handler reserve --state open":               {second, failing},
		"--step reserve --state open --oldest":         {failing, second},
		"--state open --oldest --limit 1":              {failing},
		"--state open --oldest --before " + failing:    {second},
		"--schedule nightly":                           nil,
		"--initiator nobody":                           nil,
		"--longer 1000h":                               nil,
		"--state blocked_by_failures --error BREMEN":   {failing},
		"--key nothing --state open --handler reserve": nil,
	} {
		out := must(t, pool, append([]string{"task", "list", "--json"}, strings.Fields(args)...)...)
		var have []string
		for _, m := range taskUUIDs.FindAllStringSubmatch(out, -1) {
			have = append(have, m[1])
		}
		require.Equal(t, want, have, args)
	}
	require.Equal(t, "2 tasks\n", must(t, pool, "task", "list", "--state", "open", "--count"))
	require.Equal(t, "1 task\n", must(t, pool, "task", "list", "--error", "bremen", "--count"))
	for args, want := range map[string]string{
		"--count":                    "a selection without a filter would select everything",
		"--count --parent " + second: "--count goes without --parent",
		"--longer soon":              `--longer is no length of time: "soon"`,
	} {
		r := tasker(t, pool, append([]string{"task", "list"}, strings.Fields(args)...)...)
		require.NotEqual(t, exitDone, r.code, args)
		require.Contains(t, r.err, want, args)
	}
}
