package cli

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/template"
)

func TestTemplate_ListsShowsAndRetires(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	requireOutput(t, `
TEMPLATE    VERSION  STEPS  REGISTERED            DESCRIPTION
shop/order  1.0.0        4  2026-01-01 12:00:00Z  An order, from reservation to delivery
`, must(t, pool, "template", "list"))
	requireOutput(t, `
template     shop/order@1.0.0
description  An order, from reservation to delivery
identity     strict
on failure   continue
registered   2026-01-01 12:00:00Z

     STEP     HANDLER        JOIN  TRIES  AFTER
○    reserve  reserve        all   5
├─╮
○ │  charge   charge         all          reserve
│ ○  pack     pack           all          reserve
├─╯
○    ship     shipping.ship  all          charge when ($."paid" == true), pack
`, must(t, pool, "template", "show", "shop/order"))

	file := must(t, pool, "template", "show", "shop/order", "--yaml")
	again, err := template.Load(strings.NewReader(file))
	require.NoError(t, err)
	content, err := again[0].JSON()
	require.NoError(t, err)
	registration, err := executor.New(pool).RegisterTaskTemplate(t.Context(), content)
	require.NoError(t, err)
	require.False(t, registration.Created, "the printed template is the registered one")

	require.Equal(t, "shop/order@1.0.0 is retired\n", must(t, pool, "template", "retire", "shop/order@1.0.0"))
	require.Equal(t, "shop/order@1.0.0 was retired already\n", must(t, pool, "template", "retire", "shop/order@1.0.0"))
	require.Contains(t, must(t, pool, "template", "list", "shop"), "1.0.0 (retired)")
	require.Contains(t, must(t, pool, "template", "show", "shop/order@1.0.0"), "\nretired      2")

	r := tasker(t, pool, "template", "list", "other")
	require.Equal(t, result{exitDone, "", "there are no templates\n"}, r)
}

func TestQueue_ListsMeasuresAndPeeks(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	require.Equal(t, "there are no queues\n", tasker(t, pool, "queue", "list").err)
	must(t, pool, "namespace", "register", "shop", "--transport", "pgmq")
	e := executor.New(pool)
	for _, message := range []string{`{"n": 1}`, `{"n": 2}`} {
		_, err := e.PgmqSendWithNotify(t.Context(), sqlfn.PgmqSendWithNotifyParams{
			QueueName: "worker_shop_queue", Message: json.RawMessage(message),
		})
		require.NoError(t, err)
	}
	delay := int32(7200)
	_, err := e.PgmqSendWithNotify(t.Context(), sqlfn.PgmqSendWithNotifyParams{
		QueueName: "worker_shop_queue", Message: json.RawMessage(`{"n": 3}`), DelaySeconds: delay,
	})
	require.NoError(t, err)

	behind := regexp.MustCompile(`(?m)  \d+s$`)
	list := behind.ReplaceAllString(must(t, pool, "queue", "list"), "  0s")
	require.Equal(t, strings.TrimPrefix(`
QUEUE                   LENGTH  VISIBLE  BEHIND
worker_shop_queue            3        2  0s
worker_shop_queue_high       0        0
worker_shop_queue_low        0        0
`, "\n"), list)
	require.Contains(t, must(t, pool, "queue", "stats", "worker_shop_queue"), "messages   3\nvisible    2\n")
	require.Equal(t, list, behind.ReplaceAllString(must(t, pool, "queue", "stats"), "  0s"), "stats without a name shows all queues")

	out := must(t, pool, "queue", "peek", "worker_shop_queue", "--limit", "2")
	require.Contains(t, out, `{"n": 1}`)
	require.Contains(t, out, `{"n": 2}`)
	require.NotContains(t, out, `{"n": 3}`)
	require.Contains(t, must(t, pool, "queue", "peek", "worker_shop_queue", "--after", "2"), `{"n": 3}`)
	require.Equal(t, "the queue is empty\n", tasker(t, pool, "queue", "peek", "worker_shop_queue_low").err)
}

func TestNamespace_RegisterChangesOnlyWhatIsSaid(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	must(t, pool, "namespace", "register", "shop", "--description", "Orders", "--priority", "2.5")
	require.Equal(t, strings.TrimPrefix(`
NAMESPACE  TRANSPORT  PRIORITY  PAUSED  DESCRIPTION
shop       table      2.5               Orders
`, "\n"), must(t, pool, "namespace", "register", "shop"))
	must(t, pool, "namespace", "register", "shop", "--priority", "0", "--description", "")
	require.Equal(t, strings.TrimPrefix(`
NAMESPACE  TRANSPORT  PRIORITY  PAUSED  DESCRIPTION
shop       table      0
`, "\n"), must(t, pool, "namespace", "list"))

	execute(t, pool, "update tasker.task_namespaces set paused_at = now(), paused_by = 'ann'")
	require.Contains(t, scrubbed(must(t, pool, "namespace", "list")), "2026-01-01 12:00:00Z by ann")
}

func TestSettings_ListsAndSets(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	require.Equal(t, "all settings have their defaults\n", tasker(t, pool, "settings", "list", "--changed").err)
	require.Equal(t, "lease_seconds is 120, was 60\n", must(t, pool, "settings", "set", "lease_seconds", "120"))
	require.Equal(t, "lease_seconds is 120 already\n", must(t, pool, "settings", "set", "lease_seconds", "120"))
	out := scrubbed(must(t, pool, "settings", "list", "--changed"))
	require.Contains(t, out, "lease_seconds  120    60       2026-01-01 12:00:00Z by ")
	require.Equal(t, 2, strings.Count(out, "\n"))
	require.Equal(t, "lease_seconds is 60, was 120\n", must(t, pool, "settings", "set", "lease_seconds", "--default"))
	require.Contains(t, must(t, pool, "settings", "list"), "backoff_base ")
}

func TestVersion_NamesTheSchema(t *testing.T) {
	t.Parallel()
	r := run(t.Context(), nil, "", "version")
	require.Equal(t, exitDone, r.code)
	names := migrationNames(t)
	require.Contains(t, r.out, "schema  "+names[len(names)-1]+"\n")

	r = run(t.Context(), nil, "", "--version")
	require.Equal(t, exitDone, r.code)
	require.Equal(t, "tasker "+buildVersion()+"\n", r.out)
}

func TestDoctor_FindsWhatIsWrong(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	status := func(name string) (string, string) {
		t.Helper()
		r := tasker(t, pool, "doctor", "--json")
		var findings []gen.InstallationFinding
		require.NoError(t, json.NewDecoder(bytes.NewBufferString(r.out)).Decode(&findings), r.err)
		want := exitDone
		found := gen.InstallationFinding{}
		for _, f := range findings {
			if f.Status == statusFail {
				want = exitNo
			}
			if f.Name == name {
				found = f
			}
		}
		require.Equal(t, want, r.code)
		require.Empty(t, r.err)
		return found.Status, found.Message
	}

	for _, name := range []string{"migrations", "clock", "server", "roles", "partitions", "settings"} {
		have, message := status(name)
		require.Equal(t, statusOK, have, message)
	}

	execute(t, pool, "select tasker_test.freeze(clock_timestamp() + '1 h')")
	have, message := status("clock")
	require.Equal(t, statusWarn, have)
	require.Regexp(t, "^the database's is (1h|59m5[0-9]s) ahead of this machine's$", message)
	execute(t, pool, "select tasker_test.pass('-2 h')")
	have, message = status("clock")
	require.Equal(t, statusWarn, have)
	require.Regexp(t, "^the database's is 1h.* behind this machine's$", message)

	execute(t, pool, "insert into tasker_meta.schema_migrations values ('20990101000000')")
	have, _ = status("migrations")
	require.Equal(t, statusWarn, have, "the database is newer")

	execute(t, pool, "delete from tasker.partition_ranges")
	have, _ = status("partitions")
	require.Equal(t, statusFail, have)
	r := tasker(t, pool, "doctor")
	require.Contains(t, r.out, "✗  partitions  no partition covers the current time, 0 of 3 ranges ahead\n"+
		"               Call tasker maintain partitions, and make sure that maintenance does so every day.\n")
	require.Regexp(t, `\n\n\d+ ok, \d+ warnings, \d+ failures?\n$`, r.out)
}

func TestDoctor_SaysHowFarADatabaseIsMigrated(t *testing.T) {
	t.Parallel()
	pool := pgtest.NewEmpty(t)
	r := tasker(t, pool, "doctor")
	require.Equal(t, exitNo, r.code)
	require.Equal(t, strings.TrimPrefix(`
✗  migrations  no migration is applied
               tasker migrate up
✗  database    the database is not migrated to this version of tasker: schema "tasker" does not exist
               See tasker migrate status, then tasker migrate up.

0 ok, 0 warnings, 2 failures
`, "\n"), r.out)
}

func TestDoctor_WorksForRolesThatMayOnlyRead(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	r := taskerWith(t, pgtest.URL(pool)+"&options=-crole%3Dtasker_reader", "", "doctor")
	require.Contains(t, r.out, "!  migrations  which are applied cannot be read: permission denied for schema tasker_meta\n", r.err)
	require.Contains(t, r.out, "✓  partitions")

	r = taskerWith(t, pgtest.URL(pool)+"&options=-crole%3Dtasker_submitter", "", "doctor")
	require.Equal(t, exitNo, r.code)
	require.Contains(t, r.out, "✗  database    permission denied for function check_installation\n")
}
