package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/codec"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func TestKey_ShowsEncryptedPayloads(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	_, err := pool.Exec(t.Context(), `select tasker.register_task_template(
	  '{"namespace": "shop", "name": "claim", "encrypted": {"clear": ["customer"]}, "on_failure": "fail", "steps": [{"name": "charge"}]}')`)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "keys.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"current": "k1", "keys": {"k1": "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="}}`), 0o600))
	opened, err := os.Open(file)
	require.NoError(t, err)
	keys, err := codec.ReadKeys(opened)
	require.NoError(t, err)
	require.NoError(t, opened.Close())
	client := executor.NewClient(executor.WithCodec(pool, keys))
	created, err := client.Tasks().Create(t.Context(), executor.TaskRequest{
		Namespace: "shop", Name: "claim", Context: json.RawMessage(`{"customer": 7, "card": "zebra"}`),
	})
	require.NoError(t, err)
	task := created.TaskUUID.String()
	var step executor.StepDetail
	for s, err := range client.Tasks().Steps(t.Context(), created.TaskUUID) {
		require.NoError(t, err)
		step = s
	}
	_, err = client.Operate().Complete(t.Context(), step.WorkflowStepUUID, map[string]string{"receipt": "zebra"}, executor.By{Reason: "by hand"})
	require.NoError(t, err)

	for _, command := range [][]string{{"task", "show", task}, {"step", "show", step.WorkflowStepUUID.String()}, {"task", "show", task, "--json"}} {
		blind := must(t, pool, command...)
		require.NotContains(t, blind, "zebra", command)
		require.Contains(t, must(t, pool, append(command, "--key", file)...), "zebra", command)
	}
	require.Contains(t, must(t, pool, "task", "show", task, "--wide"), `(encrypted with key "k1"; --key FILE shows it) {"customer":7}`)

	// What the command line sends is encrypted. A command that has another --key reads the environment.
	_, err = pool.Exec(t.Context(), `select tasker.register_task_template('{"namespace": "shop", "name": "more", "encrypted": {"clear": ["customer"]},
	  "steps": [{"name": "charge"}, {"name": "ok", "await": {"signal": "ok"}}, {"name": "last"}]}')`)
	require.NoError(t, err)
	yaml := filepath.Join(t.TempDir(), "more.yaml")
	require.NoError(t, os.WriteFile(yaml, []byte("namespace: shop\nname: filed\nencrypted: {}\nsteps: [{name: charge}]\nschedules: [{name: filed, cron: '0 2 * * *', context: {card: zebra}}]\n"), 0o600))
	const payload = `{"card": "zebra"}`
	more := executor.NewTaskUUID().String()
	sends := [][]string{
		{"task", "create", "shop/more", "--context", payload, "--uuid", more},
		{"step", "complete", more, "charge", "--results", payload, "--reason", "by hand"},
		{"step", "rerun", more, "charge", "--results", `{"card": "zebra 2"}`, "--reason", "by hand"},
		{"task", "signal", more, "ok", "--payload", payload},
		{"schedule", "set", "shop/nightly", "more", "--cron", "0 2 * * *", "--context", payload},
		{"apply", yaml},
	}
	for _, command := range sends {
		r := tasker(t, pool, command...)
		require.NotZero(t, r.code, command)
		require.Contains(t, r.err, "is not encrypted", command)
		r = run(t.Context(), map[string]string{"DATABASE_URL": pgtest.URL(pool), "TASKER_KEYS": file}, "", command...)
		require.Equal(t, exitDone, r.code, "%v: %s", command, r.err)
	}
	for _, table := range []string{"tasks", "workflow_steps", "step_log", "task_signals", "schedules"} {
		var plain int
		require.NoError(t, pool.QueryRow(t.Context(), "select count(*) from tasker."+table+" as x where x::text like '%zebra%'").Scan(&plain))
		require.Zero(t, plain, table)
	}

	r := tasker(t, pool, "task", "show", task, "--key", file+".not")
	require.Equal(t, exitUsage, r.code)
	require.Contains(t, r.err, "the file of keys cannot be read")
	require.NoError(t, os.WriteFile(file, []byte(`{"zebra": 7`), 0o600))
	r = tasker(t, pool, "task", "show", task, "--key", file)
	require.Equal(t, exitUsage, r.code)
	require.Contains(t, r.err, "the file of keys is not one")
	require.NotContains(t, r.err, "zebra")
}
