package cli

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Commands that list sort by the fields of their JSON, before their limit applies, and refuse other fields.
func TestSort_Lists(t *testing.T) {
	t.Parallel()
	pool := newDrill(t)
	sell(t, pool, "shop", "1.0.0", 2, "")
	sell(t, pool, "bank", "1.0.0", 2, "")
	sell(t, pool, "shop", "1.1.0", 2, "")
	namespaces := func(args ...string) (names []string) {
		var rows []struct{ Namespace string }
		require.NoError(t, json.Unmarshal([]byte(must(t, pool, append(args, "--json")...)), &rows))
		for _, r := range rows {
			names = append(names, r.Namespace)
		}
		return names
	}
	require.Equal(t, []string{"bank", "bank", "shop"}, namespaces("task", "list", "--sort", "namespace", "--limit", "3"))
	require.Equal(t, []string{"shop", "shop", "shop", "shop", "bank", "bank"}, namespaces("task", "list", "--sort=-namespace"))
	oldest := namespaces("task", "list")
	slices.Reverse(oldest)
	require.Equal(t, oldest[:3], namespaces("task", "list", "--sort", "requested_at", "--limit", "3"), "the oldest of all")
	require.Equal(t, []string{"shop", "shop", "shop", "bank"}, namespaces("template", "list", "--sort=-namespace"))
	refused := tasker(t, pool, "schedule", "list", "--sort", "nothing")
	require.NotEqual(t, exitDone, refused.code)
	require.Contains(t, refused.err, `the list has no column "nothing"`)
	require.Equal(t, exitUsage, tasker(t, pool, "task", "list", "--sort", "name;").code)
}
