package executor_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
)

func TestCheckJSON_RefusesWhatPostgreSQLCannotStore(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{`{`, `"\u0000"`, `{"a": "b\u0000"}`, `"\\\u0000"`} {
		require.ErrorIs(t, executor.CheckJSON(json.RawMessage(raw)), executor.ErrInvalid, raw)
	}
	for _, raw := range []string{``, `null`, `"\\u0000"`, `"\\\\u0000"`, `"u0000"`} {
		require.NoError(t, executor.CheckJSON(json.RawMessage(raw)), raw)
	}
}
