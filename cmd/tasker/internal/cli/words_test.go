package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestInOwnWords_SaysCommandsForFunctionsAndFlagsForArguments(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"Register it with tasker.register_task_template(template).":                                                                "Register it with tasker apply.",
		"The task goes on after tasker.reset_task(task).":                                                                          "The task goes on after tasker task reset.",
		"tasker.list_settings() shows them all.":                                                                                   "tasker settings list shows them all.",
		"A page has 1 to 10,000 tasks; p_before takes the last task's UUID for the next one.":                                      "A page has 1 to 10,000 tasks; --before takes the last task's UUID for the next one.",
		"With backend \"builtin\": tasker.setup_partitioning(p_backend => 'builtin').":                                             "With backend \"builtin\": tasker partition setup --backend builtin.",
		"Wait for them, or complete it ahead of its turn with p_early => true and a reason.":                                       "Wait for them, or complete it ahead of its turn with --early and a reason.",
		"An operator binds it with tasker.bind_role(role, namespaces).":                                                            "An operator binds it with tasker.bind_role(role, namespaces).",
		"Have the owner of schema pgmq call tasker.adopt_pgmq().":                                                                  "Have the owner of schema pgmq call tasker.adopt_pgmq().",
		"Or end it: tasker.backfill_schedule(namespace, schedule, null, null).":                                                    "Or end it: tasker schedule backfill.",
		"tasker.held_partitions() says by what; the key is the one that the task was created with.":                                "tasker partition status says by what; the key is the one that the task was created with.",
		"It waits for signal \"paid\": select * from tasker.send_signal('0199d0c4-7a11-7c3e-8f00-5b1d2c3a0000', 'paid', payload).": "It waits for signal \"paid\": tasker task signal 0199d0c4-7a11-7c3e-8f00-5b1d2c3a0000 paid --payload JSON.",
		"It waits for event \"paid\": select * from tasker.emit_event('shop', 'paid', 'A 17', payload).":                           "It waits for event \"paid\": tasker event emit shop/paid 'A 17' --payload JSON.",
		"It waits for event \"paid\": select * from tasker.emit_event('shop', 'paid', '', payload).":                               "It waits for event \"paid\": tasker event emit shop/paid --payload JSON.",
	} {
		require.Equal(t, want, inOwnWords(said))
	}
}

// Every hint of the database is translated to commands of this tool, without arguments of functions.
func TestInOwnWords_KnowsEveryHint(t *testing.T) {
	t.Parallel()
	hint := regexp.MustCompile(`hint +:?= +'((?:[^']|'')*)'`)
	named := regexp.MustCompile(`\b(?:tasker|tasklib)\.([a-z_]+)`)
	flags, known := regexp.MustCompile(`--([a-z][a-z-]+)`), map[string]bool{}
	for _, use := range flagUses() {
		known[use.name] = true
	}
	hints := 0
	err := filepath.WalkDir("../../../../db/schema", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".sql" {
			return err
		}
		content, err := os.ReadFile(path)
		for _, match := range hint.FindAllStringSubmatch(string(content), -1) {
			hints++
			said := inOwnWords(strings.ReplaceAll(match[1], "''", "'"))
			require.NotRegexp(t, `\bp_[a-z]`, said, path)
			for _, flag := range flags.FindAllStringSubmatch(said, -1) {
				// "step complete" completes early without a flag, and never gets the hint of complete_step_by_name.
				assert.True(t, known[flag[1]] || flag[1] == "early", "%s: no command has --%s: %s", path, flag[1], said)
			}
			for _, function := range named.FindAllStringSubmatch(said, -1) {
				require.NotContains(t, commandsByRows(), function[1], "%s: %s", path, said)
			}
		}
		return err
	})
	require.NoError(t, err)
	require.Greater(t, hints, 100)
}

func TestCommandsOf_AreCommands(t *testing.T) {
	t.Parallel()
	a := newApp(Process{Getenv: func(string) string { return "" }})
	for function, command := range commandsOf {
		if command == "" {
			continue
		}
		found, _, err := a.root.Find(strings.Fields(command)[1:])
		require.NoError(t, err, function)
		require.Contains(t, command, found.CommandPath(), function)
		require.NotEqual(t, a.root, found, function)
	}
}
