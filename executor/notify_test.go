package executor_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
)

// heard returns the notifications of work that a session receives on the channels: channel and payload, in order. A
// notification of the test marks the end, so that the test does not wait for silence.
func heard(t *testing.T, pool *pgxpool.Pool, channels []string, work func()) (notifications [][2]string) {
	t.Helper()
	conn, err := pool.Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	for _, channel := range append(channels, "the_end") {
		_, err := conn.Exec(t.Context(), "listen "+pgx.Identifier{channel}.Sanitize())
		require.NoError(t, err)
	}
	defer func() {
		_, err := conn.Exec(t.Context(), "unlisten *")
		require.NoError(t, err)
	}()

	work()
	_, err = pool.Exec(t.Context(), "notify the_end")
	require.NoError(t, err)
	for {
		n, err := conn.Conn().WaitForNotification(t.Context())
		require.NoError(t, err)
		if n.Channel == "the_end" {
			return notifications
		}
		notifications = append(notifications, [2]string{n.Channel, n.Payload})
	}
}

// alwaysNotify makes transactions notify whether or not a client is marked as sleeping.
func alwaysNotify(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	_, err := direct.New(pool).SetSetting(t.Context(), "notify", new("always"))
	require.NoError(t, err)
}

func TestCreateTasks_WakesTheWorkersOfTheNamespaceOncePerTransaction(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	registerDiamond(t, pool)
	alwaysNotify(t, pool)

	got := heard(t, pool, []string{"tasker_steps_ready.shop", "tasker_steps_ready.other"}, func() {
		_, err := direct.New(pool).CreateTasks(t.Context(), executor.TasksRequest{
			Namespace: "shop", Name: "diamond", Contexts: []json.RawMessage{[]byte(`{"n": 1}`), []byte(`{"n": 2}`)},
		})
		require.NoError(t, err)
	})
	require.Equal(t, [][2]string{{"tasker_steps_ready.shop", ""}}, got)
}

func TestCreateTask_TellsSleepersThatSomethingIsDueLater(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	registerDiamond(t, pool)
	alwaysNotify(t, pool)
	e := direct.New(pool)

	channels := []string{"tasker_steps_ready.shop", "pgmq_message_ready.orchestration"}
	want := [][2]string{{"pgmq_message_ready.orchestration", ""}, {"tasker_steps_ready.shop", ""}}
	require.ElementsMatch(t, want, heard(t, pool, channels, func() {
		request := executor.TaskRequest{Namespace: "shop", Name: "diamond"}
		request.Deferred = true
		_, err := e.CreateTask(t.Context(), request)
		require.NoError(t, err)
	}))
	require.ElementsMatch(t, want, heard(t, pool, channels, func() {
		request := executor.TaskRequest{Namespace: "shop", Name: "diamond", Context: json.RawMessage(`{"n": 1}`)}
		request.StartAt = time.Now().Add(time.Hour)
		_, err := e.CreateTask(t.Context(), request)
		require.NoError(t, err)
	}))
}

func TestCreateTask_WakesNoClientIfItCreatesNothing(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	registerDiamond(t, pool)
	alwaysNotify(t, pool)
	e := direct.New(pool)
	request := executor.TaskRequest{Namespace: "shop", Name: "diamond"}
	_, err := e.CreateTask(t.Context(), request)
	require.NoError(t, err)

	require.Empty(t, heard(t, pool, []string{"tasker_steps_ready.shop"}, func() {
		_, err := e.CreateTask(t.Context(), request)
		require.NoError(t, err, "a repeated request returns the task")
		tx, err := pool.Begin(t.Context())
		require.NoError(t, err)
		other := request
		other.Context = json.RawMessage(`{"never": true}`)
		_, err = direct.New(tx).CreateTask(t.Context(), other)
		require.NoError(t, err)
		require.NoError(t, tx.Rollback(t.Context()))
	}))
}

func TestTransitions_NotifyListeners(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	alwaysNotify(t, pool)
	e := direct.New(pool)
	task, top := startTask(t, pool)
	moves := func() {
		for _, to := range []state.StepState{state.StepInProgress, state.StepEnqueued} {
			from, err := e.GetCurrentStepState(t.Context(), top)
			require.NoError(t, err)
			_, err = e.TransitionStepStateAtomic(t.Context(), direct.StepMove{StepUUID: top, From: from, To: to})
			require.NoError(t, err)
		}
		from, err := e.GetCurrentTaskState(t.Context(), task)
		require.NoError(t, err)
		to := map[state.TaskState]state.TaskState{
			state.TaskStepsInProcess:    state.TaskEvaluatingResults,
			state.TaskEvaluatingResults: state.TaskEnqueuingSteps,
		}[from]
		_, err = e.TransitionTaskStateAtomic(t.Context(), direct.TaskMove{TaskUUID: task, From: from, To: to})
		require.NoError(t, err)
	}
	channels := []string{"tasker_steps_ready.test", "tasker_task_events"}

	got := heard(t, pool, channels, moves)
	require.Len(t, got, 2)
	require.Equal(t, [2]string{"tasker_steps_ready.test", ""}, got[0], "enqueuing the step again notifies, starting it does not")
	require.Equal(t, "tasker_task_events", got[1][0])
	require.JSONEq(t, `{
		"task_uuid": "`+task.String()+`", "namespace": "test",
		"from_state": "steps_in_process", "to_state": "evaluating_results", "event": "StepCompleted"
	}`, got[1][1])

	off := "off"
	_, err := e.SetSetting(t.Context(), "notify", &off)
	require.NoError(t, err)
	require.Empty(t, heard(t, pool, channels, moves), "the setting switches both notifications off")
}
