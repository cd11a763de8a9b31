package replaytest

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func TestSchema_FindsWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	e := executor.New(pool)
	_, err := e.RegisterTaskTemplate(t.Context(), json.RawMessage(`{"namespace": "shop", "name": "one", "steps": [{"name": "a"}]}`))
	require.NoError(t, err)
	task, err := e.CreateTask(t.Context(), executor.TaskRequest{Namespace: "shop", Name: "one", TaskOptions: executor.TaskOptions{Tags: []string{"x"}}})
	require.NoError(t, err)
	require.Zero(t, Recorded(t, pool), "no step has ended")
	s := readSchema(t)
	for _, payloads := range []bool{true, false} {
		raw, err := e.ExportTask(t.Context(), task.TaskUUID, payloads, nil)
		require.NoError(t, err)
		var document map[string]any
		require.NoError(t, json.Unmarshal(raw, &document))
		require.Empty(t, s.Problem("$", document))
		for change, says := range map[string]string{
			`{"version": 2}`: "$.version is 2, not 1", `{"more": 1}`: "$.more is not described", `{"steps": {}}`: "$.steps is of type object, not [array]",
			`{"exported_at": "today"}`: "$.exported_at: parsing time", `{"steps": [{}]}`: "$.steps[0].step_uuid is missing",
		} {
			changed := map[string]any{}
			require.NoError(t, json.Unmarshal(raw, &changed))
			require.NoError(t, json.Unmarshal([]byte(change), &changed))
			require.Contains(t, s.Problem("$", changed), says)
		}
	}
}
