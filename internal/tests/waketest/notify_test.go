package waketest

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/tasklib"
	tasklibgen "github.com/pgtasker/pgtasker/tasklib/gen"
)

// heard returns the channels on which a program that only listens is notified while work runs.
func heard(t *testing.T, pool *pgxpool.Pool, work func()) (channels []string) {
	t.Helper()
	conn, err := pgx.ConnectConfig(t.Context(), pool.Config().ConnConfig)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.Background())) }()
	for _, channel := range []string{
		channel, "tasker_task_events", "pgmq_message_ready.shop", "pgmq_message_ready.orchestration", "tasklib_ready", "the_end",
	} {
		_, err := conn.Exec(t.Context(), `listen "`+channel+`"`)
		require.NoError(t, err)
	}
	work()
	_, err = pool.Exec(t.Context(), "notify the_end")
	require.NoError(t, err)
	for {
		n, err := conn.WaitForNotification(t.Context())
		require.NoError(t, err)
		if n.Channel == "the_end" {
			return channels
		}
		channels = append(channels, n.Channel)
	}
}

// mark marks a new client as sleeping.
func mark(t *testing.T, pool *pgxpool.Pool, channels ...string) (id uuid.UUID, notified bool) {
	t.Helper()
	id = uuid.New()
	notified, err := executor.New(pool).MarkSleeping(t.Context(), id, channels, 0)
	require.NoError(t, err)
	return id, notified
}

func TestNotify_ReachesListenersAsTheSettingSays(t *testing.T) {
	t.Parallel()
	pool := newPool(t)
	e := executor.New(pool)
	work := func() { require.NoError(t, create(t.Context(), pool)) }

	require.Empty(t, heard(t, pool, work), "asleep: no notification while no client sleeps")
	set(t, pool, "always")
	require.Equal(t, []string{channel, "tasker_task_events"}, heard(t, pool, work), "always: a notification for each call, and for the new task")
	set(t, pool, "off")
	id, notified := mark(t, pool, channel)
	require.False(t, notified)
	require.Empty(t, heard(t, pool, work), "off: no notification, although a client sleeps")
	set(t, pool, "asleep")
	require.Equal(t, []string{channel}, heard(t, pool, work), "asleep: a listener receives what wakes another client")
	awake, err := e.MarkAwake(t.Context(), id, []string{channel})
	require.NoError(t, err)
	require.True(t, awake)
	require.Empty(t, heard(t, pool, work))

	for _, test := range []struct {
		own  string
		want []string
	}{{"always", []string{channel, "tasker_task_events"}}, {"off", nil}, {"asleep", nil}, {"default", nil}} {
		_, err := e.RegisterNamespace(t.Context(), sqlfn.RegisterNamespaceParams{Name: "shop", Notify: test.own})
		require.NoError(t, err)
		require.Equal(t, test.want, heard(t, pool, work), "the namespace's own: %s", test.own)
	}
}

func TestNotify_AnnouncesATaskToItsWatchers(t *testing.T) {
	t.Parallel()
	pool := newPool(t)
	e := executor.New(pool)
	made := func() uuid.UUID {
		task, err := e.CreateTask(t.Context(), executor.TaskRequest{Namespace: "shop", Name: "job"})
		require.NoError(t, err)
		return task.TaskUUID
	}
	cancel := func(task uuid.UUID) func() {
		return func() {
			_, err := e.CancelTask(t.Context(), task, "", "")
			require.NoError(t, err)
		}
	}
	watched, other, third := made(), made(), made()
	require.Empty(t, heard(t, pool, cancel(third)), "no notification while no client watches")
	mark(t, pool, "tasker_task_events."+watched.String())
	require.Empty(t, heard(t, pool, cancel(other)), "a client watches another task")
	require.Equal(t, []string{"tasker_task_events"}, heard(t, pool, cancel(watched)))
	mark(t, pool, "tasker_task_events")
	require.Equal(t, []string{"tasker_task_events"}, heard(t, pool, cancel(made())), "a client watches all tasks")
	require.Equal(t, []string{"tasker_task_events"}, heard(t, pool, func() { made() }), "the creation of a task notifies a client that watches all")
}

func TestNotify_WakesOrchestratorsOnlyWhileOneSleeps(t *testing.T) {
	t.Parallel()
	pool := newPool(t)
	later := func() {
		request := executor.TaskRequest{Namespace: "shop", Name: "job"}
		request.Deferred = true
		_, err := executor.New(pool).CreateTask(t.Context(), request)
		require.NoError(t, err)
	}
	require.Empty(t, heard(t, pool, later))
	mark(t, pool, "pgmq_message_ready.orchestration")
	require.Equal(t, []string{"pgmq_message_ready.orchestration"}, heard(t, pool, later))
}

func TestNotify_AnnouncesMessagesUnlessTheNamespaceSaysAsleep(t *testing.T) {
	t.Parallel()
	pool := newPool(t)
	e := executor.New(pool)
	_, err := e.EnsureTaskQueue(t.Context(), "worker_shop_queue")
	require.NoError(t, err)
	send := func() {
		_, err := e.PgmqSendWithNotify(t.Context(), sqlfn.PgmqSendWithNotifyParams{QueueName: "worker_shop_queue", Message: []byte(`{}`)})
		require.NoError(t, err)
	}
	want := []string{"pgmq_message_ready.shop"}
	require.Equal(t, want, heard(t, pool, send), "clients that listen for messages need not mark themselves as sleeping")
	_, err = e.RegisterNamespace(t.Context(), sqlfn.RegisterNamespaceParams{Name: "shop", Notify: "asleep"})
	require.NoError(t, err)
	require.Empty(t, heard(t, pool, send))
	id, _ := mark(t, pool, "pgmq_message_ready")
	require.Equal(t, want, heard(t, pool, send), "a client sleeps on the channel of all queues")
	_, err = e.MarkAwake(t.Context(), id, []string{"pgmq_message_ready"})
	require.NoError(t, err)
	require.Empty(t, heard(t, pool, send))
	mark(t, pool, "pgmq_message_ready.shop")
	require.Equal(t, want, heard(t, pool, send))
}

func TestNotify_StopsWhenTheMarksOfCrashedClientsExpire(t *testing.T) {
	t.Parallel()
	pool := newPool(t, pgtest.MaxConns(10))
	for range 100 {
		mark(t, pool, channel)
	}
	work := func() { require.NoError(t, create(t.Context(), pool)) }
	require.Equal(t, []string{channel}, heard(t, pool, work), "the crashed client is still marked as sleeping")
	// The sleeper's mark expires after half a minute.
	_, err := pool.Exec(t.Context(), "update tasker.sleepers set until = until - interval '30 seconds'")
	require.NoError(t, err)
	require.Empty(t, heard(t, pool, func() {
		for range 100 {
			work()
		}
	}))
	_, err = pool.Exec(t.Context(), "update tasker.sleepers set until = until - interval '2 minutes'")
	require.NoError(t, err)
	mark(t, pool, channel)
	var marks int
	require.NoError(t, pool.QueryRow(t.Context(), "select count(*) from tasker.sleepers").Scan(&marks))
	require.Equal(t, 1, marks, "the next client cleans up")
}

func TestNotify_WakesTasklibWorkersOfTheName(t *testing.T) {
	t.Parallel()
	pool := newPool(t)
	f := tasklib.NewFunctions(pool)
	for _, name := range []string{"one", "two"} {
		_, err := f.RegisterTask(t.Context(), name, []byte(`{}`))
		require.NoError(t, err)
	}
	submit := func(name string) func() {
		return func() {
			_, err := pool.Exec(t.Context(), "select tasklib.submit_task($1, '{}')", name)
			require.NoError(t, err)
		}
	}
	set := func(value string) {
		_, err := f.SetSetting(t.Context(), tasklibgen.SetSettingParams{Name: "notify", Value: &value})
		require.NoError(t, err)
	}
	set("always")
	require.Equal(t, []string{"tasklib_ready"}, heard(t, pool, submit("one")))
	set("asleep")
	require.Empty(t, heard(t, pool, submit("one")))
	_, err := f.MarkSleeping(t.Context(), "w", []string{"one"}, nil)
	require.NoError(t, err)
	require.Empty(t, heard(t, pool, submit("two")))
	require.Equal(t, []string{"tasklib_ready"}, heard(t, pool, submit("one")))
	set("off")
	require.Empty(t, heard(t, pool, submit("one")))
}

// PostgreSQL refuses to prepare a transaction that has notified. With "off" no transaction notifies, whether clients sleep or not. With
// "asleep" it depends on other clients, and doctor warns.
func TestNotify_OffLetsTransactionsBePrepared(t *testing.T) {
	t.Parallel()
	pool, server := pgtest.NewPrivate(t)
	_, err := pool.Exec(t.Context(), "alter system set max_prepared_transactions = 5")
	require.NoError(t, err)
	require.NoError(t, server.Restart(t.Context()))
	pool.Reset()
	prepare(t, pool)
	n := 0
	prepared := func() error {
		n++
		conn, err := pool.Acquire(t.Context())
		require.NoError(t, err)
		defer conn.Release()
		_, err = conn.Exec(t.Context(), "begin")
		require.NoError(t, err)
		require.NoError(t, create(t.Context(), conn))
		_, err = conn.Exec(t.Context(), fmt.Sprintf("prepare transaction 'wake%d'", n))
		if err == nil {
			_, err = conn.Exec(t.Context(), fmt.Sprintf("commit prepared 'wake%d'", n))
		}
		return err
	}
	require.NoError(t, prepared(), "asleep, and no client sleeps")
	mark(t, pool, channel)
	require.ErrorContains(t, prepared(), "cannot PREPARE a transaction that has executed LISTEN, UNLISTEN, or NOTIFY")
	set(t, pool, "off")
	require.NoError(t, prepared(), "off, and a client sleeps")

	findings, err := executor.New(pool).CheckInstallation(t.Context())
	require.NoError(t, err)
	require.Equal(t, "ok", status(findings))
	set(t, pool, "asleep")
	findings, err = executor.New(pool).CheckInstallation(t.Context())
	require.NoError(t, err)
	require.Equal(t, "warn", status(findings))
}

func status(findings []gen.InstallationFinding) string {
	for _, finding := range findings {
		if finding.Name == "wakeups" {
			return finding.Status
		}
	}
	return ""
}
