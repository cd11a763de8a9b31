package crashtest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/enginetest"
)

// A process that inserts the instances of a map is killed after a batch, and in the middle of a batch. The next process
// continues after the last committed element.
func TestCrash_AMapGoesOnAfterTheLastBatch(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	f := newFleet(t, pool, pgtest.URL(pool), "plain")
	const size = 2500
	task := createGraph(f, pool, fmt.Sprintf(`{"lines": [%s0]}`, strings.Repeat("0, ", size-1)),
		`{"namespace": "plain", "name": "map", "steps": [{"name": "each", "for_each": "$.lines"}, {"name": "last", "dependencies": ["each"]}]}`)
	instances := func() (n int) {
		t.Helper()
		require.NoError(t, pool.QueryRow(t.Context(), "select count(*) from tasker.workflow_steps as s where s.task_uuid = $1 and s.map_no = 1", task).Scan(&n))
		return n
	}

	for _, after := range []int{1000, 2000} {
		p := f.start(roleStuck) // fires, and dies before its commit
		p.await(t, "holding")
		f.kill(p)
		p = f.start(roleFirer) // fires, and dies after its commit
		p.await(t, "fired")
		f.kill(p)
		require.Equal(t, after, instances(), "only committed instances remain")
		found, err := enginetest.Violations(t.Context(), pool, []uuid.UUID{task})
		require.NoError(t, err)
		require.Empty(t, found)
	}
	p := f.start(roleFirer)
	p.await(t, "fired")
	f.kill(p)
	require.Equal(t, size, instances())
	_, err := executor.New(pool).CancelTask(t.Context(), task, "", "") // The test does not need 2,500 results.
	require.NoError(t, err)
	var left int
	require.NoError(t, pool.QueryRow(t.Context(), "select count(*) from tasker.timers").Scan(&left))
	require.Zero(t, left)
}

// A worker completes a child while another session has the parent locked, and is killed before it can notify the parent.
// Another worker's claim notifies it.
func TestCrash_AParentHearsOfItsChildFromAnotherWorker(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	f := newFleet(t, pool, pgtest.URL(pool), "plain")
	parent := createGraph(f, pool, `{}`,
		`{"namespace": "plain", "name": "child", "identity_strategy": "always_unique", "steps": [{"name": "work"}]}`,
		`{"namespace": "plain", "name": "parent", "steps": [{"name": "kid", "task": {"name": "child"}}, {"name": "last", "dependencies": ["kid"]}]}`)
	_, err := executor.New(pool).FireDueTimers(t.Context(), 10)
	require.NoError(t, err)

	busy, err := pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = busy.Exec(t.Context(), "select from tasker.tasks as t where t.task_uuid = $1 for no key update", parent)
	require.NoError(t, err)
	p := f.start(roleWorker)
	states := func() (states string) {
		t.Helper()
		require.NoError(t, pool.QueryRow(t.Context(), `
			select s.state || ', ' || c.state || ', ' || (select count(*) from tasker.timers as m where m.kind = 'child_ended')
			  from tasker.workflow_steps as s
			  join tasker.tasks as c on c.task_uuid = s.child_task_uuid
			 where s.task_uuid = $1 and s.step_no = 1`, parent).Scan(&states))
		return states
	}
	f.until("the child ends", func() bool { return states() == "suspended, complete, 1" })
	f.kill(p)
	require.NoError(t, busy.Rollback(t.Context()))
	require.Equal(t, "suspended, complete, 1", states(), "the note is kept")

	f.start(roleWorker)
	f.until("the parent ends", func() bool {
		task, err := executor.New(pool).GetTask(t.Context(), parent)
		require.NoError(t, err)
		return task.Complete
	})
	require.Regexp(t, "^complete, complete, 0$", states())
	steps, err := executor.New(pool).ListSteps(t.Context(), parent)
	require.NoError(t, err)
	require.Contains(t, string(steps[0].Results), `"work"`)
}

// createGraph registers templates and creates a task of the last template.
func createGraph(f *fleet, pool *pgxpool.Pool, taskContext string, templates ...string) uuid.UUID {
	f.Helper()
	e := executor.New(pool)
	var name string
	for _, text := range templates {
		var template struct{ Name string }
		require.NoError(f, json.Unmarshal([]byte(text), &template))
		name = template.Name
		_, err := e.RegisterTaskTemplate(f.Context(), json.RawMessage(text))
		require.NoError(f, err)
	}
	made, err := e.CreateTask(f.Context(), executor.TaskRequest{Namespace: "plain", Name: name, Context: json.RawMessage(taskContext)})
	require.NoError(f, err)
	return made.TaskUUID
}
