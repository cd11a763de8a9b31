package cli

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
)

func TestDemo_FulfilsTwoOrdersBeforeYourEyes(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	out := must(t, pool, "demo")
	require.Contains(t, out, `step "charge" reported a failure`)
	require.Contains(t, out, `step "charge" is to be tried again`)
	require.Contains(t, out, "blocked_by_failures")
	require.Contains(t, out, "paid in cash")
	require.Contains(t, out, "├─╮", "the graph is drawn")

	var orders []executor.TaskDetail
	require.NoError(t, json.Unmarshal([]byte(must(t, pool, "demo", "--json")), &orders))
	require.Len(t, orders, 2)
	for _, order := range orders {
		require.Equal(t, state.TaskComplete, order.State)
		require.Zero(t, order.FailedSteps)
	}
}
