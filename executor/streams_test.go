package executor_test

import (
	"encoding/json"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// runningStep returns a step that a worker has claimed, and the claim.
func runningStep(t *testing.T, pool *pgxpool.Pool) (step uuid.UUID, claim int32) {
	t.Helper()
	_, err := pool.Exec(t.Context(), `select tasker.register_task_template('{"namespace": "shop", "name": "writes", "steps": [{"name": "write"}]}'),
		tasker.create_task('shop', 'writes')`)
	require.NoError(t, err)
	require.NoError(t, pool.QueryRow(t.Context(), "select c.step_uuid, c.claim_no from tasker.claim_steps('{shop}', gen_random_uuid(), 1) as c").Scan(&step, &claim))
	return step, claim
}

func appending(step uuid.UUID, claim int32, items string) sqlfn.AppendItemsParams {
	return sqlfn.AppendItemsParams{StepUUID: step, ClaimNo: claim, Stream: "rows", Items: json.RawMessage(items)}
}

// A reader who goes on after a number must not miss an item that an earlier transaction commits later.
func TestTasks_ReadStreamMissesNoItemThatIsCommittedLater(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	step, claim := runningStep(t, pool)
	_, err := direct.New(pool).AppendItems(t.Context(), appending(step, claim, "[1]"))
	require.NoError(t, err)

	early, err := pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = direct.New(early).AppendItems(t.Context(), appending(step, claim, "[2]"))
	require.NoError(t, err)
	late := make(chan error, 1)
	conn, err := pool.Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	go func() {
		_, err := direct.New(conn).AppendItems(t.Context(), appending(step, claim, "[3]"))
		late <- err
	}()
	pgtest.WaitBlocked(t, pool, conn.Conn().PgConn().PID())
	read := func(after int64) (numbers []int64) {
		for entry, err := range executor.NewClient(pool).Tasks().ReadStream(t.Context(), step, "rows", executor.StreamOptions{After: after}) {
			require.NoError(t, err)
			require.Equal(t, entry.ItemNo, int64(entry.Item[0]-'0'))
			numbers = append(numbers, entry.ItemNo)
		}
		return numbers
	}
	require.Equal(t, []int64{1}, read(0), "the later appender waits for the earlier one")
	require.NoError(t, early.Commit(t.Context()))
	require.NoError(t, <-late)
	require.Equal(t, []int64{2, 3}, read(1))
}

func TestTasks_ReadStreamGivesTheNumberOfATransactionThatRolledBackAgain(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	step, claim := runningStep(t, pool)
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = direct.New(tx).AppendItems(t.Context(), appending(step, claim, "[1, 2]"))
	require.NoError(t, err)
	require.NoError(t, tx.Rollback(t.Context()))
	answer, err := direct.New(pool).AppendItems(t.Context(), appending(step, claim, "[1]"))
	require.NoError(t, err)
	require.EqualValues(t, 1, *answer.LastNo)
}

func TestTasks_ReadStreamFollowsByNotification(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	step, claim := runningStep(t, pool)
	numbers := make(chan int64)
	ended := make(chan error, 1)
	go func() {
		defer close(numbers)
		for entry, err := range executor.NewClient(pool).Tasks().ReadStream(t.Context(), step, "rows", executor.StreamOptions{Follow: true, PollInterval: longer}) {
			if err != nil {
				ended <- err
				return
			}
			numbers <- entry.ItemNo
		}
		ended <- nil
	}()
	waitListening(t, pool)
	_, err := direct.New(pool).AppendItems(t.Context(), appending(step, claim, `["a", "b"]`))
	require.NoError(t, err)
	require.EqualValues(t, 1, <-numbers)
	require.EqualValues(t, 2, <-numbers)
	_, err = direct.New(pool).AppendItems(t.Context(), appending(step, claim, `["c"]`))
	require.NoError(t, err)
	require.EqualValues(t, 3, <-numbers, "only a notification can have woken the reader")
}

func TestTasks_AnErasureWaitsForAnAppender(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	step, claim := runningStep(t, pool)
	e := direct.New(pool)
	_, err := e.AppendItems(t.Context(), appending(step, claim, "[1]"))
	require.NoError(t, err)
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = direct.New(tx).AppendItems(t.Context(), appending(step, claim, "[2]"))
	require.NoError(t, err)
	task := step
	task[14], task[15] = 0, 0
	_, err = e.CancelTask(t.Context(), task, "", "")
	require.NoError(t, err)
	erased := make(chan error, 1)
	conn, err := pool.Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	go func() {
		_, err := conn.Exec(t.Context(), "select tasker.erase_task($1, 'asked for')", task)
		erased <- err
	}()
	pgtest.WaitBlocked(t, pool, conn.Conn().PgConn().PID())
	require.NoError(t, tx.Commit(t.Context()))
	require.NoError(t, <-erased)
	var left int
	require.NoError(t, pool.QueryRow(t.Context(), "select count(*) from tasker.stream_items").Scan(&left))
	require.Zero(t, left, "an item that was committed while the erasure waited is erased, too")
}
