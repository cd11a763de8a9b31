package racetest

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
)

// Two parents are cancelled in one statement, in either order, while a worker reports results of the first parent's child and
// of the second parent in one batch. The tasks are not created in the order in which one of the sessions locks them.
func TestFamilies_CancelledInOneStatementDoNotDeadlock(t *testing.T) {
	t.Parallel()
	pool := newPool(t)
	registerFamily(t, pool, "always_unique")
	e := direct.New(pool)
	worker := uuid.New()
	for turn := range 20 {
		var parents, children []uuid.UUID
		for range 2 { // P1 < C1 < P2 < C2
			made, err := e.CreateTask(t.Context(), executor.TaskRequest{Namespace: "plain", Name: "parent"})
			require.NoError(t, err)
			parents = append(parents, made.TaskUUID)
			_, err = e.FireDueTimers(t.Context(), 100)
			require.NoError(t, err)
			steps, err := e.ListSteps(t.Context(), made.TaskUUID)
			require.NoError(t, err)
			require.NotNil(t, steps[0].ChildTaskUUID)
			children = append(children, *steps[0].ChildTaskUUID)
		}
		claimed, err := e.ClaimSteps(t.Context(), direct.ClaimRequest{WorkerUUID: worker, Limit: 100, Lease: time.Hour})
		require.NoError(t, err)
		var results []direct.StepResult
		for _, c := range claimed {
			if c.TaskUUID == children[0] || c.TaskUUID == parents[1] {
				results = append(results, direct.StepResult{StepClaim: direct.StepClaim{StepUUID: c.StepUUID, ClaimNo: c.ClaimNo}})
			}
		}
		require.Len(t, results, 2)

		order := []uuid.UUID{parents[0], parents[1]}
		if turn%2 == 1 {
			order = []uuid.UUID{parents[1], parents[0]}
		}
		cancelled := make(chan error, 1)
		go func() {
			_, err := pool.Exec(t.Context(), "select tasker.cancel_task(u.task) from unnest($1::uuid[]) as u (task)", order)
			cancelled <- err
		}()
		_, err = e.ExchangeSteps(t.Context(), direct.Exchange{Results: results, ClaimRequest: direct.ClaimRequest{WorkerUUID: worker, Limit: 0}})
		require.NoError(t, err)
		require.NoError(t, <-cancelled)

		for i := range parents {
			f := &family{T: t, pool: pool, parent: parents[i], child: children[i], kid: parents[i]}
			f.kid[15] = 1
			f.requireSound()
		}
	}
	var deadlocks int
	require.NoError(t, pool.QueryRow(t.Context(), "select deadlocks from pg_stat_database where datname = current_database()").Scan(&deadlocks))
	require.Zero(t, deadlocks)
}

// The child's template has keys, and another session is about to create a task with the same context. The child needs no
// identity, so the parent waits for no lock and continues.
func TestFamilies_AKeyThatIsHeldKeepsNoChildWaiting(t *testing.T) {
	t.Parallel()
	pool := newPool(t)
	registerFamily(t, pool, "strict")
	e := direct.New(pool)
	parentContext := json.RawMessage(`{"order": 7}`)
	require.NoError(t, pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error {
		held, err := direct.New(tx).CreateTask(t.Context(), executor.TaskRequest{Namespace: "plain", Name: "child", Context: parentContext})
		require.NoError(t, err)
		require.True(t, held.Created)

		made, err := e.CreateTask(t.Context(), executor.TaskRequest{Namespace: "plain", Name: "parent", Context: parentContext})
		require.NoError(t, err)
		claimed, err := e.ClaimSteps(t.Context(), direct.ClaimRequest{WorkerUUID: uuid.New(), Limit: 10, Lease: time.Hour})
		require.NoError(t, err)
		names := map[string]bool{}
		for _, c := range claimed {
			names[c.TaskName+"."+c.Name] = true
		}
		require.Equal(t, map[string]bool{"parent.side": true, "child.a": true}, names, "the parent's other step and the child's run")
		steps, err := e.ListSteps(t.Context(), made.TaskUUID)
		require.NoError(t, err)
		require.NotNil(t, steps[0].ChildTaskUUID)
		require.NotEqual(t, held.TaskUUID, *steps[0].ChildTaskUUID)
		return nil
	}))
}

func registerFamily(t *testing.T, pool *pgxpool.Pool, identity string) {
	t.Helper()
	for _, template := range []string{
		`{"namespace": "plain", "name": "child", "identity_strategy": "` + identity + `", "on_failure": "fail", "steps": [{"name": "a"}]}`,
		`{"namespace": "plain", "name": "parent", "identity_strategy": "always_unique", "on_failure": "fail", "steps": [
		  {"name": "kid", "task": {"name": "child"}}, {"name": "side"}, {"name": "after", "dependencies": ["kid", "side"]}]}`,
	} {
		_, err := direct.New(pool).RegisterTaskTemplate(t.Context(), json.RawMessage(template))
		require.NoError(t, err)
	}
}
