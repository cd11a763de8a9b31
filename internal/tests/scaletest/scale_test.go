package scaletest

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/enginetest"
	"github.com/pgtasker/pgtasker/state"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// factor allows for indexes that are a level deeper, and for row versions that are not pruned yet. Quadratic cost would differ
// by a factor of ten.
const factor = 1.6

func TestWide_AStepOfTenThousandCostsWhatOneOfAThousandDoes(t *testing.T) {
	t.Parallel()
	small := cost(t, "wide", wide(1_000), 500)
	large := cost(t, "wide", wide(10_000), 500)
	t.Logf("buffers for each step: %.0f of 1,000, %.0f of 10,000", small, large)
	require.Less(t, large, factor*small)
}

func TestDeep_AStepOfAChainOfAThousandCostsWhatOneOfAHundredDoes(t *testing.T) {
	t.Parallel()
	small := cost(t, "deep", chain(100), 1)
	large := cost(t, "deep", chain(1_000), 1)
	t.Logf("buffers for each step: %.0f of 100, %.0f of 1,000", small, large)
	require.Less(t, large, factor*small)
}

type step struct {
	Name         string   `json:"name"`
	Dependencies []string `json:"dependencies"`
}

// wide returns this many steps beside each other, and a step that joins them.
func wide(count int) []step {
	last := step{Name: "last"}
	steps := make([]step, 0, count+1)
	for n := range count {
		steps = append(steps, step{Name: fmt.Sprintf("s%d", n), Dependencies: []string{}})
		last.Dependencies = append(last.Dependencies, steps[n].Name)
	}
	return append(steps, last)
}

// chain returns this many steps. Each step depends on the step before it.
func chain(count int) []step {
	steps := make([]step, count)
	for n := range steps {
		steps[n] = step{Name: fmt.Sprintf("s%d", n), Dependencies: []string{}}
		if n > 0 {
			steps[n].Dependencies = []string{steps[n-1].Name}
		}
	}
	return steps
}

// cost runs a task of these steps, with batch steps in each claim and completion, and returns the buffers for each step.
func cost(t *testing.T, name string, steps []step, batch int) float64 {
	t.Helper()
	// Dead row versions cannot be pruned while the server has an older transaction, as other tests may have.
	pool, _ := pgtest.NewPrivate(t)
	e := executor.New(pool)
	template, err := json.Marshal(map[string]any{"namespace": "scale", "name": name, "steps": steps})
	require.NoError(t, err)
	_, err = e.RegisterTaskTemplate(t.Context(), template)
	require.NoError(t, err)
	// Statistics exist, as on a server where other tasks ran before.
	_, err = pool.Exec(t.Context(), `analyze`)
	require.NoError(t, err)
	made, err := e.CreateTask(t.Context(), executor.TaskRequest{Namespace: "scale", Name: name})
	require.NoError(t, err)

	conn, err := pool.Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	_, err = conn.Exec(t.Context(), `create temporary table held (step_uuid uuid, claim_no integer)`)
	require.NoError(t, err)
	var total, claimed int64
	for range len(steps) + 1 {
		total += buffers(t, conn.Conn(), fmt.Sprintf(`
			insert into held
			select c.step_uuid, c.claim_no
			  from tasker.claim_steps(null, '00000000-0000-0000-0000-0000000000c1', %d, 3600) as c`, batch))
		total += buffers(t, conn.Conn(), `
			select a.*
			  from (select array_agg(h.step_uuid) as step_uuids, array_agg(h.claim_no) as claim_nos from held as h) as h
			 cross join lateral tasker.complete_steps(h.step_uuids, h.claim_nos) as a`)
		tag, err := conn.Exec(t.Context(), `delete from held`)
		require.NoError(t, err)
		claimed += tag.RowsAffected()
		if tag.RowsAffected() == 0 {
			break
		}
	}
	require.EqualValues(t, len(steps), claimed)
	task, err := e.GetTask(t.Context(), made.TaskUUID)
	require.NoError(t, err)
	require.Equal(t, state.TaskComplete, task.State)
	left, err := enginetest.Remains(t.Context(), pool)
	require.NoError(t, err)
	require.Zero(t, left)
	return float64(total) / float64(len(steps))
}

func buffers(t *testing.T, conn *pgx.Conn, statement string) (count int64) {
	t.Helper()
	require.NoError(t, conn.QueryRow(t.Context(), `select tasker_test.buffers($1)`, statement).Scan(&count))
	return count
}
