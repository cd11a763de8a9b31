package relay

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/faultproxy"
	"github.com/pgtasker/pgtasker/messaging"
)

// shelf is a broker's queue in memory, into which a relay publishes.
type shelf struct {
	messaging.Queue
	sent chan messaging.Message
}

func (s shelf) Send(_ context.Context, messages ...messaging.Message) error {
	for _, m := range messages {
		s.sent <- m
	}
	return nil
}

func (shelf) Depth(context.Context) (int64, error) { return 0, nil }
func (shelf) Close() error                         { return nil }

// The login of a relay has one connection left, which its listener holds.
func TestRun_ItsListenerGivesWayToWork(t *testing.T) {
	t.Parallel()
	pool := database(t, `{"rabbitmq": {"queue": "x"}}`)
	_, err := pool.Exec(t.Context(), "select from tasker.register_namespace('shop', p_transport => 'broker')")
	require.NoError(t, err)
	login := faultproxy.Login(t, pool, "tasker_orchestrator")
	own := faultproxy.Postgres(t, pool).PoolOf(t, login, func(c *pgxpool.Config) { c.MaxConns = 1 })
	box, queue := newInbox(), shelf{sent: make(chan messaging.Message, 1000)}
	var log journal
	start(t, own, Config{
		Targets: map[string]Open{"rabbitmq": box.open}, Logger: log.logger(),
		Steps: func(context.Context, messaging.Config) (messaging.Queue, error) { return queue, nil },
	})
	faultproxy.LeaveOneBesides(t, pool, own, login)
	task := create(t, pool)
	require.Contains(t, box.await(t, 1), task)
	select {
	case message := <-queue.sent:
		var step struct {
			TaskUUID string `json:"task_uuid"`
		}
		require.NoError(t, json.Unmarshal(message.Body, &step))
		require.Equal(t, task.String(), step.TaskUUID)
	case <-time.After(time.Minute):
		require.Fail(t, "no step is published", log.String())
	}
	require.Eventually(t, func() bool {
		list, err := executor.New(pool).ListSubscriptions(t.Context(), "made")
		return err == nil && list[0].Delivered == 1
	}, time.Minute, 10*time.Millisecond, "it is acknowledged")
	require.Contains(t, log.String(), "the login has no connection left for work: the listener has given its own up")
	require.Equal(t, 1, strings.Count(log.String(), "the login has no connection left"), log.String())
}
