package executor_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
)

// registerDiamond registers the template shop/diamond: top, then left and right, then bottom.
func registerDiamond(t *testing.T, db executor.DBTX) {
	t.Helper()
	_, err := executor.New(db).RegisterTaskTemplate(t.Context(), json.RawMessage(`{
		"namespace": "shop", "name": "diamond",
		"steps": [
			{"name": "top"},
			{"name": "left", "dependencies": ["top"]},
			{"name": "right", "dependencies": ["top"]},
			{"name": "bottom", "dependencies": ["left", "right"]}
		]
	}`))
	require.NoError(t, err)
}

func TestCreateTask_MakesATaskAndFindsItAgain(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	registerDiamond(t, pool)
	e := executor.New(pool)

	request := executor.TaskRequest{
		Namespace: "shop", Name: "diamond", Context: json.RawMessage(`{"order": 7}`),
		TaskOptions: executor.TaskOptions{Priority: 2, Tags: []string{"vip"}, Initiator: "ann"},
	}
	first, err := e.CreateTask(t.Context(), request)
	require.NoError(t, err)
	require.True(t, first.Created)
	again, err := e.CreateTask(t.Context(), request)
	require.NoError(t, err)
	require.False(t, again.Created)
	require.Equal(t, first.TaskUUID, again.TaskUUID)

	task, err := e.GetTask(t.Context(), first.TaskUUID)
	require.NoError(t, err)
	require.Equal(t, state.TaskStepsInProcess, task.State)
	require.JSONEq(t, `{"order": 7}`, string(task.Context))
	require.Equal(t, []string{"vip"}, task.Tags)
	require.Equal(t, "ann", *task.Initiator)

	steps, err := e.ListSteps(t.Context(), first.TaskUUID)
	require.NoError(t, err)
	require.Len(t, steps, 4)
	require.Equal(t, state.StepEnqueued, steps[0].State)
	requireSound(t, pool, first.TaskUUID)
}

func TestCreateTask_WithItsOwnUUID(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	registerDiamond(t, pool)

	id := executor.NewTaskUUID()
	made, err := executor.New(pool).CreateTask(t.Context(), executor.TaskRequest{
		Namespace: "shop", Name: "diamond", TaskUUID: id,
	})
	require.NoError(t, err)
	require.Equal(t, id, made.TaskUUID)
	require.True(t, made.Created)
}

func TestCreateTask_TakesPartInTheCallersTransaction(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	registerDiamond(t, pool)

	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	made, err := executor.New(tx).CreateTask(t.Context(), executor.TaskRequest{Namespace: "shop", Name: "diamond"})
	require.NoError(t, err)
	require.NoError(t, tx.Rollback(t.Context()))

	_, err = executor.New(pool).GetTask(t.Context(), made.TaskUUID)
	require.ErrorIs(t, err, executor.ErrNotFound, "the rollback removes the task")
	again, err := executor.New(pool).CreateTask(t.Context(), executor.TaskRequest{Namespace: "shop", Name: "diamond"})
	require.NoError(t, err)
	require.True(t, again.Created, "the rollback frees its identity")
}

func TestCreateTask_RefusesWhatItCannotMake(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	registerDiamond(t, pool)
	e := executor.New(pool)

	for name, try := range map[string]struct {
		request executor.TaskRequest
		want    error
	}{
		"an unknown template": {executor.TaskRequest{Namespace: "shop", Name: "square"}, executor.ErrNotFound},
		"a context that is no JSON": {
			executor.TaskRequest{Namespace: "shop", Name: "diamond", Context: json.RawMessage(`{`)}, executor.ErrInvalid,
		},
		"a context with a zero byte": {
			executor.TaskRequest{Namespace: "shop", Name: "diamond", Context: json.RawMessage(`{"a": "\u0000"}`)}, executor.ErrInvalid,
		},
		"a context that is not an object": {
			executor.TaskRequest{Namespace: "shop", Name: "diamond", Context: json.RawMessage(`[]`)}, executor.ErrInvalid,
		},
		"a UUID of another version": {
			executor.TaskRequest{Namespace: "shop", Name: "diamond", TaskUUID: uuid.New()}, executor.ErrInvalid,
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := e.CreateTask(t.Context(), try.request)
			require.ErrorIs(t, err, try.want)
		})
	}

	_, err := e.RetireTaskTemplate(t.Context(), "shop", "diamond", "0.1.0")
	require.NoError(t, err)
	_, err = e.CreateTask(t.Context(), executor.TaskRequest{Namespace: "shop", Name: "diamond"})
	require.ErrorIs(t, err, executor.ErrRetired)
}

func TestCreateTask_WaitsForARollBackAndThenWins(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	registerDiamond(t, pool)
	request := executor.TaskRequest{Namespace: "shop", Name: "diamond"}

	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	lost, err := executor.New(tx).CreateTask(t.Context(), request)
	require.NoError(t, err)

	conn, err := pool.Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	done := make(chan uuid.UUID)
	go func() {
		made, err := executor.New(conn).CreateTask(t.Context(), request)
		if err != nil || !made.Created {
			t.Errorf("created %t: %v", made.Created, err)
		}
		done <- made.TaskUUID
	}()
	pgtest.WaitBlocked(t, pool, conn.Conn().PgConn().PID())
	require.NoError(t, tx.Rollback(t.Context()))

	won := <-done
	require.NotEqual(t, lost.TaskUUID, won)
	requireSound(t, pool, won)
}

func TestCreateTasks_FromTwentySessionsMakeEachIdentityOnce(t *testing.T) {
	t.Parallel()
	for name, rollBack := range map[string]float64{"all commit": 0, "a third rolls back": 1.0 / 3} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			createInSessions(t, rollBack)
		})
	}
}

// The key is sent 50 times at once: 49 sessions wait for the one that came first, and then all have its task, or one of them
// creates it.
func TestCreateTask_OneKeyFromFiftySessionsMakesOneTask(t *testing.T) {
	t.Parallel()
	for name, commits := range map[string]bool{"the first one commits": true, "the first one rolls back": false} {
		t.Run(name, func(t *testing.T) {
			const others = 49
			pool := pgtest.New(t, pgtest.MaxConns(others+3))
			_, err := pool.Exec(t.Context(), `select tasker.register_task_template('{"namespace": "shop", "name": "hook", "identity_strategy": "caller_provided", "steps": [{"name": "a"}]}')`)
			require.NoError(t, err)
			request := executor.TaskRequest{Namespace: "shop", Name: "hook", Context: []byte(`{"event": 42}`), IdentityKey: "event-42"}
			first, err := pool.Begin(t.Context())
			require.NoError(t, err)
			made, err := executor.New(first).CreateTask(t.Context(), request)
			require.NoError(t, err)

			answers := make(chan executor.TaskCreation, others)
			var group sync.WaitGroup
			for range others {
				conn, err := pool.Acquire(t.Context())
				require.NoError(t, err)
				group.Go(func() {
					defer conn.Release()
					answer, err := executor.New(conn).CreateTask(t.Context(), request)
					if err != nil {
						t.Error(err)
					}
					answers <- answer
				})
				pgtest.WaitBlocked(t, pool, conn.Conn().PgConn().PID())
			}
			if commits {
				require.NoError(t, first.Commit(t.Context()))
			} else {
				require.NoError(t, first.Rollback(t.Context()))
			}
			group.Wait()
			close(answers)

			created, tasks := 0, map[uuid.UUID]bool{}
			for answer := range answers {
				tasks[answer.TaskUUID] = true
				if answer.Created {
					created++
				}
			}
			require.Len(t, tasks, 1, "all have the same task")
			require.Equal(t, commits, tasks[made.TaskUUID])
			require.Equal(t, map[bool]int{true: 0, false: 1}[commits], created)
			var count int
			require.NoError(t, pool.QueryRow(t.Context(), "select count(*) from tasker.tasks").Scan(&count))
			require.Equal(t, 1, count)
		})
	}
}

// createInSessions makes 20 sessions request 500 identities 6,000 times, in batches of random order. With PGTASKER_SOAK there are
// eight times as many.
func createInSessions(t *testing.T, rollBack float64) {
	const sessions = 20
	identities, calls := 500, 6_000
	if os.Getenv("PGTASKER_SOAK") != "" {
		identities, calls = 8*identities, 8*calls
	}
	pool := pgtest.New(t, pgtest.MaxConns(sessions))
	registerDiamond(t, pool)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)

	var mutex sync.Mutex
	made := map[uuid.UUID]int{}
	var group sync.WaitGroup
	for session := range sessions {
		group.Go(func() {
			random := rand.New(rand.NewPCG(seed, uint64(session)))
			for asked := 0; asked < calls/sessions; {
				size := 1 + random.IntN(40)
				asked += size
				created, err := createBatch(t, pool, random, size, identities, random.Float64() < rollBack)
				if err != nil {
					t.Error(err)
					return
				}
				mutex.Lock()
				for _, id := range created {
					made[id]++
				}
				mutex.Unlock()
			}
		})
	}
	group.Wait()

	// Request the identities that were not drawn, so that each one has its task.
	for n := range identities {
		creation, err := executor.New(pool).CreateTask(t.Context(), executor.TaskRequest{
			Namespace: "shop", Name: "diamond", Context: fmt.Appendf(nil, `{"n": %d}`, n),
		})
		require.NoError(t, err)
		if creation.Created {
			made[creation.TaskUUID]++
		}
	}
	var tasks, steps, hashes int
	require.NoError(t, pool.QueryRow(t.Context(), `
		select (select count(*) from tasker.tasks), (select count(*) from tasker.workflow_steps),
		       (select count(*) from tasker.task_identities)`).Scan(&tasks, &steps, &hashes))
	require.Equal(t, identities, tasks)
	require.Equal(t, 4*identities, steps)
	require.Equal(t, identities, hashes)
	require.Len(t, made, identities, "each task is reported as created")
	for id, times := range made {
		require.Equal(t, 1, times, "once: %s", id)
	}
}

// createBatch requests a few random identities in one transaction and returns the tasks that it created, none if it
// rolled back.
func createBatch(
	t *testing.T, pool *pgxpool.Pool, random *rand.Rand, size, identities int, rollBack bool,
) (created []uuid.UUID, err error) {
	contexts := make([]json.RawMessage, size)
	for i := range contexts {
		contexts[i] = fmt.Appendf(nil, `{"n": %d}`, random.IntN(identities))
	}
	tx, err := pool.Begin(t.Context())
	if err != nil {
		return nil, err
	}
	defer func() {
		if end := tx.Rollback(t.Context()); err == nil && rollBack {
			err = end
		}
	}()
	rows, err := executor.New(tx).CreateTasks(t.Context(), executor.TasksRequest{
		Namespace: "shop", Name: "diamond", Contexts: contexts,
	})
	if err != nil || rollBack {
		return nil, err
	}
	for _, row := range rows {
		if row.Created {
			created = append(created, row.TaskUUID)
		}
	}
	return created, tx.Commit(t.Context())
}

func TestCreateTasks_NamesTheContextThatIsWrong(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	registerDiamond(t, pool)

	_, err := executor.New(pool).CreateTasks(t.Context(), executor.TasksRequest{
		Namespace: "shop", Name: "diamond", Contexts: []json.RawMessage{[]byte(`{}`), []byte(`nonsense`)},
	})
	require.ErrorIs(t, err, executor.ErrInvalid)
	require.ErrorContains(t, err, "context 2")
}

func TestCreateTask_InARepeatableReadTransactionSays40001(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	registerDiamond(t, pool)
	request := executor.TaskRequest{Namespace: "shop", Name: "diamond"}

	tx, err := pool.BeginTx(t.Context(), pgx.TxOptions{IsoLevel: pgx.RepeatableRead})
	require.NoError(t, err)
	defer func() { require.NoError(t, tx.Rollback(t.Context())) }()
	_, err = tx.Exec(t.Context(), "select 1") // This takes the snapshot.
	require.NoError(t, err)
	_, err = executor.New(pool).CreateTask(t.Context(), request)
	require.NoError(t, err)

	_, err = executor.New(tx).CreateTask(t.Context(), request)
	require.ErrorContains(t, err, "40001")
}
