package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/codec"
	"github.com/pgtasker/pgtasker/executor"
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

	r := tasker(t, pool, "task", "show", task, "--key", file+".not")
	require.Equal(t, exitUsage, r.code)
	require.Contains(t, r.err, "the file of keys cannot be read")
	require.NoError(t, os.WriteFile(file, []byte(`{"zebra": 7`), 0o600))
	r = tasker(t, pool, "task", "show", task, "--key", file)
	require.Equal(t, exitUsage, r.code)
	require.Contains(t, r.err, "the file of keys is not one")
	require.NotContains(t, r.err, "zebra")
}
