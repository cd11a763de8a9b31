package cli

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func TestTaskTree_DrawsTheTasksThatStepsStarted(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	must(t, pool, "apply", file(t, "purchase.yaml", `
namespace: shop
name: purchase
steps:
  - {name: pick}
  - {name: ship, task: {name: parcel}}
  - {name: gift, task: {name: parcel}}
`), file(t, "parcel.yaml", `
namespace: shop
name: parcel
identity_strategy: always_unique
steps:
  - {name: pack}
  - {name: label, dependencies: [pack]}
`))
	out := must(t, pool, "template", "show", "shop/purchase")
	require.Contains(t, out, "task parcel")
	id := createTask(t, pool, "shop/purchase")
	execute(t, pool, "select tasker.fire_due_timers()")

	out = must(t, pool, "task", "tree", id, "--tasks")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	require.Len(t, lines, 4, out)
	require.Regexp(t, `^TASK +STATE +STEPS +FAILED +STEP`, lines[0])
	require.Regexp(t, `^◐  ?purchase +steps_in_process +0/3`, lines[1])
	require.Regexp(t, `^├─ ◐ parcel +steps_in_process +0/2 +ship`, lines[2])
	require.Regexp(t, `^└─ ◐ parcel +steps_in_process +0/2 +gift`, lines[3])

	require.Regexp(t, `ship +suspended +waits for task [0-9a-f]{8}`, must(t, pool, "task", "show", id))
	children := strings.Split(strings.TrimSpace(must(t, pool, "task", "list", "--parent", id, "--wide")), "\n")
	require.Len(t, children, 3)
	child := strings.Fields(children[1])[0]
	require.Regexp(t, `started by +step [0-9a-f-]{36}`, must(t, pool, "task", "show", child))
	require.Contains(t, must(t, pool, "task", "tree", id, "--tasks", "--json"), `"parent_step": "ship"`)
}
