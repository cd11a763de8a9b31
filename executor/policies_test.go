package executor_test

import (
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// newJobs returns a database with the template shop/job, whose requests need a key.
func newJobs(t *testing.T) *pgxpool.Pool {
	t.Helper()
	pool := pgtest.New(t, pgtest.MaxConns(10))
	_, err := executor.New(pool).RegisterTaskTemplate(t.Context(), []byte(
		`{"namespace": "shop", "name": "job", "identity_strategy": "caller_provided", "steps": [{"name": "work"}]}`))
	require.NoError(t, err)
	return pool
}

// atOnce calls do n times from 8 sessions.
func atOnce(n int, do func(i int)) {
	var (
		all  sync.WaitGroup
		next atomic.Int64
	)
	for range 8 {
		all.Go(func() {
			for i := next.Add(1); i <= int64(n); i = next.Add(1) {
				do(int(i))
			}
		})
	}
	all.Wait()
}

func TestCreateTask_ThrottleHoldsAcrossSessions(t *testing.T) {
	t.Parallel()
	pool := newJobs(t)
	var created, refused atomic.Int64
	atOnce(60, func(i int) {
		_, err := executor.New(pool).CreateTask(t.Context(), executor.TaskRequest{
			Namespace: "shop", Name: "job", IdentityKey: fmt.Sprint(i),
			TaskPolicy: executor.TaskPolicy{ThrottleLimit: 7, ThrottlePeriod: time.Hour, ThrottleKey: "tenant"},
		})
		if err == nil {
			created.Add(1)
			return
		}
		refused.Add(1)
		require.ErrorIs(t, err, executor.ErrThrottled)
	})
	require.Equal(t, int64(7), created.Load())
	require.Equal(t, int64(53), refused.Load())
}

// A request that has waited for another one reads the clock after the wait. With an older time, the charge of the other
// request would look as if the clock had been set back.
func TestCreateTask_ThrottleCountsWhatCameWhileItWaited(t *testing.T) {
	t.Parallel()
	pool := newJobs(t)
	request := func(key string) executor.TaskRequest {
		return executor.TaskRequest{
			Namespace: "shop", Name: "job", IdentityKey: key,
			TaskPolicy: executor.TaskPolicy{ThrottleLimit: 1, ThrottlePeriod: time.Hour, ThrottleKey: "tenant"},
		}
	}
	_, err := pool.Exec(t.Context(), `insert into tasker.creation_throttles (namespace, task_name, throttle_key, free_at)
		values ('shop', 'job', 'tenant', now())`)
	require.NoError(t, err)
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), "select from tasker.creation_throttles for no key update")
	require.NoError(t, err)
	second, err := pool.Acquire(t.Context())
	require.NoError(t, err)
	defer second.Release()
	waited := make(chan error, 1)
	go func() {
		_, err := executor.New(second).CreateTask(t.Context(), request("waits"))
		waited <- err
	}()
	pgtest.WaitBlocked(t, pool, second.Conn().PgConn().PID())
	_, err = executor.New(tx).CreateTask(t.Context(), request("first"))
	require.NoError(t, err)
	require.NoError(t, tx.Commit(t.Context()))
	require.ErrorIs(t, <-waited, executor.ErrThrottled)
}

func TestCreateTask_RequestsThatWaitStartOneAfterTheOther(t *testing.T) {
	t.Parallel()
	pool := newJobs(t)
	policy := executor.TaskPolicy{ThrottleLimit: 2, ThrottlePeriod: 2 * time.Hour, ThrottleWait: true}
	var group sync.WaitGroup
	for n := range 10 {
		group.Go(func() {
			_, err := executor.New(pool).CreateTask(t.Context(), executor.TaskRequest{
				Namespace: "shop", Name: "job", IdentityKey: fmt.Sprint("single ", n), TaskPolicy: policy,
			})
			assert.NoError(t, err)
		})
		group.Go(func() {
			_, err := executor.New(pool).CreateTasks(t.Context(), executor.TasksRequest{
				Namespace: "shop", Name: "job", Contexts: []json.RawMessage{[]byte("{}"), []byte("{}")},
				IdentityKeys: []string{fmt.Sprint("first ", n), fmt.Sprint("second ", n)}, TaskPolicy: policy,
			})
			assert.NoError(t, err)
		})
	}
	group.Wait()
	var tasks, turns, apart int
	require.NoError(t, pool.QueryRow(t.Context(), `
		select count(*), count(distinct date_trunc('hour', m.due_at - b.began + interval '30 minutes')),
		       count(*) filter (where m.due_at - m.before between interval '59 minutes' and interval '61 minutes')
		  from (select m.due_at, lag(m.due_at) over (order by m.due_at) as before from tasker.timers as m where m.kind = 'start_task') as m
		 cross join (select min(m.due_at) as began from tasker.timers as m) as b`).Scan(&tasks, &turns, &apart))
	require.Equal(t, []int{30, 29, 28}, []int{tasks, turns, apart}, "two start at once, the others an hour apart")
}

func TestCreateTask_DebounceLeavesOneTaskOfManyRequests(t *testing.T) {
	t.Parallel()
	pool := newJobs(t)
	var (
		mu    sync.Mutex
		tasks = map[uuid.UUID]bool{}
	)
	atOnce(60, func(i int) {
		task, err := executor.New(pool).CreateTask(t.Context(), executor.TaskRequest{
			Namespace: "shop", Name: "job", IdentityKey: "ada", Context: fmt.Appendf(nil, `{"n": %d}`, i),
			TaskPolicy: executor.TaskPolicy{Debounce: time.Hour},
		})
		require.NoError(t, err)
		mu.Lock()
		defer mu.Unlock()
		tasks[task.TaskUUID] = task.Created
	})
	require.Len(t, tasks, 60)
	var pending, cancelled, other int
	require.NoError(t, pool.QueryRow(t.Context(), `
		select count(*) filter (where t.state = 'pending'), count(*) filter (where t.state = 'cancelled'),
		       count(*) filter (where t.state not in ('pending', 'cancelled'))
		  from tasker.tasks as t`).Scan(&pending, &cancelled, &other))
	require.Equal(t, []int{1, 59, 0}, []int{pending, cancelled, other})
}

// Requests with one key arrive while its tasks start. The task of the last request is never lost, and no request is in two
// tasks.
func TestCreateTask_DebounceRacesWithTheStart(t *testing.T) {
	t.Parallel()
	pool := newJobs(t)
	atOnce(200, func(i int) {
		e := executor.New(pool)
		if i%3 == 0 {
			// A second has passed for waiting starts.
			_, err := pool.Exec(t.Context(), "update tasker.timers set due_at = tasker.clock() where kind = 'start_task'")
			require.NoError(t, err)
			_, err = e.FireDueTimers(t.Context(), 100)
			require.NoError(t, err)
			return
		}
		_, err := e.CreateTask(t.Context(), executor.TaskRequest{
			Namespace: "shop", Name: "job", IdentityKey: "ada", Context: fmt.Appendf(nil, `{"n": %d}`, i),
			TaskPolicy: executor.TaskPolicy{Debounce: time.Hour},
		})
		require.NoError(t, err)
	})
	// The task of the last request starts, too.
	_, err := pool.Exec(t.Context(), "update tasker.timers set due_at = tasker.clock() where kind = 'start_task'")
	require.NoError(t, err)
	_, err = executor.New(pool).FireDueTimers(t.Context(), 100)
	require.NoError(t, err)
	var pending, started, cancelled, broken int
	require.NoError(t, pool.QueryRow(t.Context(), `
		select count(*) filter (where t.state = 'pending'), count(*) filter (where t.started_at is not null and t.state <> 'cancelled'),
		       count(*) filter (where t.state = 'cancelled' and t.started_at is null),
		       count(*) filter (where t.state = 'cancelled' and t.started_at is not null)
		  from tasker.tasks as t`).Scan(&pending, &started, &cancelled, &broken))
	require.Zero(t, pending)
	require.Zero(t, broken, "a task that has started is not replaced")
	require.Equal(t, 134, pending+started+cancelled, "each request has a task")
	require.NotZero(t, started)
}
