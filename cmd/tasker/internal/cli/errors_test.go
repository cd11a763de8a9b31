package cli

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func TestMain_TellsTheKindOfAnErrorByItsExitCode(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	const nobody = "0199d0c4-7a11-7c3e-8f00-5b1d2c3a0000"
	task := createTask(t, pool, "shop/order")

	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"tsk"}, exitUsage, `tasker: there is no command "tasker tsk"
  hint: Did you mean tasker task?
`},
		{[]string{"task", "xyz"}, exitUsage, `tasker: there is no command "tasker task xyz"
  hint: See tasker task --help.
`},
		{[]string{"slow"}, exitUsage, `tasker: tasker slow lacks a command
  hint: It is one of steps, tasks; see tasker slow --help.
`},
		{[]string{"list"}, exitUsage, ""},
		{[]string{"template", "validate", "--help"}, exitUsage, `tasker: there is no command "tasker template validate"
  hint: See tasker template --help.
`},
		{[]string{"help", "tsk"}, exitUsage, `tasker: there is no command "tasker tsk"
  hint: Did you mean tasker task?
`},
		{[]string{"help", "task", "shwo"}, exitUsage, `tasker: there is no command "tasker task shwo"
  hint: Did you mean tasker task show?
`},
		{[]string{"task", "show"}, exitUsage, `tasker: tasker task show lacks TASK
  hint: See tasker task show --help.
`},
		{[]string{"task", "show", "a", "b"}, exitUsage, `tasker: tasker task show takes only TASK, not also "b"
  hint: See tasker task show --help.
`},
		{[]string{"task", "list", "a"}, exitUsage, `tasker: tasker task list takes no arguments, not "a"
  hint: See tasker task list --help.
`},
		{[]string{"task", "list", "--bogus"}, exitUsage, `tasker: unknown flag: --bogus
  hint: See tasker task list --help.
`},
		{[]string{"task", "list", "--limit", "many"}, exitUsage, `tasker: invalid argument "many" for "-l, --limit" flag: strconv.ParseInt: parsing "many": invalid syntax
  hint: See tasker task list --help.
`},
		{[]string{"task", "list", "--color", "pink"}, exitUsage, `tasker: --color is auto, always or never, not "pink"
  hint: See tasker task list --help.
`},
		{[]string{"task", "list", "--since", "yesterday"}, exitUsage, `tasker: --since is a time such as 2026-01-31T12:00:00Z, or a span such as 90m, not "yesterday"
`},
		{[]string{"task", "list", "--before", "x"}, exitUsage, `tasker: --before is an id, key:KEY or tag:TAG, not "x"
  hint: tasker task list prints ids; the first 4 digits of one are enough where no other begins so.
`},
		{[]string{"task", "show", "{" + nobody[1:]}, exitUsage, `tasker: TASK is an id, key:KEY or tag:TAG, not "{199d0c4-7a11-7c3e-8f00-5b1d2c3a0000"
  hint: tasker task list prints ids; the first 4 digits of one are enough where no other begins so.
`},
		{[]string{"task", "create", "order"}, exitUsage, `tasker: a template is NAMESPACE/NAME or NAMESPACE/NAME@VERSION, not "order"
  hint: tasker template list shows them.
`},
		{[]string{"template", "retire", "shop/order"}, exitUsage, `tasker: retiring takes a version: NAMESPACE/NAME@VERSION
  hint: tasker template list shop shows the versions.
`},
		{[]string{"settings", "set", "lease_seconds"}, exitUsage, `tasker: settings set takes either a value or --default
  hint: See tasker settings set --help.
`},
		{[]string{"migrate", "down", "--migrations", "0"}, exitUsage, "tasker: --migrations is at least 1\n"},
		{[]string{"task", "show", nobody}, exitNotFound, `tasker: task ` + nobody + ` does not exist (TK404)
  hint: Creating a task returns its UUID; retention may have dropped the task with its partition.
`},
		{[]string{"step", "show", task, "bake"}, exitNotFound, `tasker: task ` + task + ` has no step "bake"
  hint: tasker task show prints a task's steps.
`},
		{[]string{"step", "show", stepOf(task, 99)}, exitNotFound, `tasker: step ` + stepOf(task, 99) + ` does not exist
  hint: tasker task show prints a task's steps.
`},
		{[]string{"task", "create", "shop/return"}, exitNotFound, `tasker: template "shop/return" does not exist (TK404)
  hint: Register it with tasker apply.
`},
		{[]string{"task", "create", "shop/order", "-c", "[1]"}, exitInvalid, `tasker: context of task "shop/order" is not a JSON object (TK422)
  detail: Context number 1 is of type array.
  hint: Put the value into an object under a name.
`},
		{[]string{"task", "create", "shop/order", "-c", "{"}, exitInvalid, "tasker: context: invalid: not JSON: PostgreSQL cannot store it\n"},
		{[]string{"task", "create", "shop/order", "-c", "@/nowhere"}, exitInvalid, "tasker: --context: open /nowhere: no such file or directory\n"},
		{[]string{"task", "list", "--state", "asleep"}, exitInvalid, ""},
		{[]string{"task", "list", "--limit", "0"}, exitUsage, "tasker: --limit is at least 1\n"},
		{[]string{"task", "list", "--limit", "20000"}, exitInvalid, `tasker: the limit is 20000; it must be between 1 and 10,000 (TK422)
  hint: For the next page pass the last task's UUID as --before.
`},
		{[]string{"queue", "peek", "nowhere"}, exitNotFound, ""},
		{[]string{"queue", "stats", "nowhere"}, exitNotFound, ""},
		{[]string{"namespace", "register", "Shop"}, exitInvalid, `tasker: "Shop" is not a valid namespace name (TK422)
  hint: A name is a lower-case letter, then at most 28 letters, digits and underscores.
`},
		{[]string{"settings", "set", "nothing", "1"}, exitNotFound, `tasker: setting "nothing" does not exist (TK404)
  hint: tasker settings list shows them all.
`},
		{[]string{"settings", "set", "lease_seconds", "soon"}, exitInvalid, `tasker: setting "lease_seconds" cannot be "soon" (TK422)
  detail: It must be of kind integer, from 1 to 86400.
  hint: The default is 60.
`},
	} {
		r := tasker(t, pool, test.args...)
		require.Equal(t, test.code, r.code, "%v: %s", test.args, r.err)
		require.Empty(t, r.out, test.args)
		if test.want != "" {
			require.Equal(t, test.want, r.err, test.args)
		}
		require.NotContains(t, r.err, "goroutine")
	}

	must(t, pool, "template", "retire", "shop/order@1.0.0")
	r := tasker(t, pool, "task", "create", "shop/order@1.0.0", "-c", `{"new": true}`)
	require.Equal(t, exitConflict, r.code, r.err)
}

func TestMain_ReportsErrorsAsJSON(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	var said struct {
		Error problem `json:"error"`
	}
	for _, args := range [][]string{
		{"settings", "set", "lease_seconds", "soon", "--json"},
		{"--json", "settings", "set", "lease_seconds", "soon"},
	} {
		r := tasker(t, pool, args...)
		require.Equal(t, exitInvalid, r.code)
		require.Empty(t, r.out)
		require.NoError(t, json.Unmarshal([]byte(r.err), &said))
		require.Equal(t, problem{
			Exit: exitInvalid, Code: "TK422", Message: `setting "lease_seconds" cannot be "soon"`,
			Detail: "It must be of kind integer, from 1 to 86400.", Hint: "The default is 60.",
		}, said.Error)
	}
}

func TestMain_SaysWhichDatabaseItLacks(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		env  map[string]string
		args []string
		code int
		want string
	}{
		{nil, []string{"task", "list"}, exitUsage, `tasker: no database is named
  hint: Set DATABASE_URL, or pass --database postgres://user@host/db.
`},
		{map[string]string{"DATABASE_URL": "postgres://u:secret@h:x/db"}, []string{"task", "list"}, exitUsage, "the database's address is not one that can be read"},
		{nil, []string{"task", "list", "-d", "postgres://u:secret@127.0.0.1:1/db"}, exitUnreachable, "tasker: the database cannot be reached\n  detail: "},
	} {
		r := run(t.Context(), test.env, "", test.args...)
		require.Equal(t, test.code, r.code, r.err)
		require.Contains(t, r.err, test.want)
		require.NotContains(t, r.err, "secret")
	}
}

func TestMain_SaysThatADatabaseIsNotMigrated(t *testing.T) {
	t.Parallel()
	r := tasker(t, pgtest.NewEmpty(t), "task", "list")
	require.Equal(t, exitUnreachable, r.code)
	require.Equal(t, `tasker: the database is not migrated to this version of tasker (3F000)
  detail: schema "tasker" does not exist
  hint: See tasker migrate status, then tasker migrate up.
`, r.err)
}

func TestMain_SaysThatARoleMayNot(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	r := taskerWith(t, pgtest.URL(pool)+"&options=-crole%3Dtasker_reader", "", "settings", "set", "lease_seconds", "1")
	require.Equal(t, exitForbidden, r.code)
	require.Equal(t, `tasker: permission denied for function set_setting (42501)
  hint: docs/functions.md names the roles that may; tasker doctor shows which are granted.
`, r.err)
}

func TestMain_EndsWhenItIsInterrupted(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := run(ctx, map[string]string{"DATABASE_URL": pgtest.URL(pool)}, "", "task", "list")
	require.Equal(t, result{exitInterrupted, "", "tasker: interrupted\n"}, r)
}

func TestMain_ShowsHelpForAGroup(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"--help"}, {"help"}, {"task", "--help"}, {"help", "task"}, {"help", "task", "show"}} {
		r := run(t.Context(), nil, "", args...)
		require.Equal(t, exitDone, r.code)
		require.Contains(t, r.out, "Usage:")
		require.Empty(t, r.err)
	}
}

func TestMain_CallsAPanicABug(t *testing.T) {
	t.Parallel()
	a := newApp(Process{Getenv: func(string) string { return "" }})
	a.root.AddCommand(a.leaf(commandNamed("burst"), "nothing", func(context.Context, []string) error { panic("at the seams") }))
	err := a.run(t.Context(), []string{"burst"})
	require.EqualError(t, err, "a bug in tasker: at the seams")
}

func commandNamed(name string) cobra.Command { return cobra.Command{Use: name} }
