package worker_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/stepmessage"
	"github.com/pgtasker/pgtasker/messaging"
	"github.com/pgtasker/pgtasker/messaging/pgmq"
	"github.com/pgtasker/pgtasker/relay"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
)

const chain = `[{"name": "a"}, {"name": "b", "dependencies": ["a"]}, {"name": "c", "dependencies": ["b"]}]`

// brokered returns a shop whose steps go through a broker. The broker is pgmq; messaging/rabbitmq has the tests with
// RabbitMQ.
func brokered(t *testing.T, templates map[string]string) (*shop, messaging.Open) {
	t.Helper()
	s := open(t, templates, pgtest.MaxConns(20))
	s.transport("broker")
	for _, lane := range stepmessage.Lanes() {
		_, err := s.pool.Exec(t.Context(), "select tasker.ensure_task_queue($1)", stepmessage.Queue("shop", lane).Name)
		require.NoError(t, err)
	}
	return s, func(ctx context.Context, config messaging.Config) (messaging.Queue, error) {
		config.Existing = true
		return pgmq.Open(ctx, s.pool, pgmq.Config{Config: config, PollInterval: 20 * time.Millisecond})
	}
}

func (s *shop) transport(transport string) {
	s.t.Helper()
	_, err := s.RegisterNamespace(s.t.Context(), sqlfn.RegisterNamespaceParams{Name: "shop", Transport: transport})
	require.NoError(s.t, err)
}

// handleLetters registers a handler for each step of these templates with w.
func handleLetters(w *worker.Worker, handler worker.Handler[none, none]) {
	for _, name := range []string{"a", "b", "c"} {
		worker.Handle(w, name, handler)
	}
}

// relaySteps runs a relay that publishes steps, until the function that it returns is called.
func relaySteps(t *testing.T, s *shop, broker messaging.Open) (stop func()) {
	t.Helper()
	return relayStepsAgain(t, s, broker, time.Second)
}

// relayStepsAgain is relaySteps with a time after which it publishes steps again that no worker has taken.
func relayStepsAgain(t *testing.T, s *shop, broker messaging.Open, again time.Duration) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() {
		ended <- relay.Run(ctx, s.pool, relay.Config{
			Steps: broker, StepAgain: again, PollInterval: 20 * time.Millisecond, ListInterval: 50 * time.Millisecond,
			Logger: slog.New(slog.DiscardHandler),
		})
	}()
	stop = sync.OnceFunc(func() { cancel(); require.NoError(t, <-ended) })
	t.Cleanup(stop)
	return stop
}

func TestRun_TakesStepsThatMessagesBring(t *testing.T) {
	t.Parallel()
	s, broker := brokered(t, map[string]string{"chain": chain})
	relaySteps(t, s, broker)
	var mu sync.Mutex
	ran := map[uuid.UUID]int{}
	for range 2 {
		w := newWorker(t, s.pool, worker.Config{Broker: broker, Concurrency: 5})
		handleLetters(w, func(_ context.Context, job *worker.Job[none]) (none, error) {
			mu.Lock()
			defer mu.Unlock()
			ran[job.StepUUID]++
			return none{}, nil
		})
		start(t, w)
	}
	tasks := s.createMany("chain", 30)
	s.waitAll()
	s.sound(tasks...)
	require.Len(t, ran, 90)
	for step, n := range ran {
		require.Equal(t, 1, n, step)
	}
	until(t, func() bool { return s.depth(broker) == 0 }, func() string { return "every message is acknowledged" })
}

// depth returns how many messages with steps the broker has.
func (s *shop) depth(broker messaging.Open) (sum int64) {
	for _, lane := range stepmessage.Lanes() {
		queue, err := broker(s.t.Context(), stepmessage.Queue("shop", lane))
		require.NoError(s.t, err)
		n, err := queue.Depth(s.t.Context())
		require.NoError(s.t, err)
		require.NoError(s.t, queue.Close())
		sum += n
	}
	return sum
}

func TestRun_WithoutABrokerLeavesStepsToMessages(t *testing.T) {
	t.Parallel()
	s, broker := brokered(t, map[string]string{"chain": chain})
	task := s.create("chain", "{}")
	w := newWorker(t, s.pool, worker.Config{PollInterval: 20 * time.Millisecond})
	handleLetters(w, succeed)
	start(t, w)
	relaySteps(t, s, broker)
	until(t, func() bool { return s.depth(broker) == 1 }, func() string { return "the first step is published" })
	require.Equal(t, state.StepEnqueued, s.step(task, "a").State)
	s.transport("table") // published steps return to the table
	s.wait(task, state.TaskComplete)
}

func TestRun_MessagesOfAPausedNamespaceAreNotLost(t *testing.T) {
	t.Parallel()
	s, broker := brokered(t, map[string]string{"chain": chain})
	stop := relaySteps(t, s, broker)
	tasks := s.createMany("chain", 3)
	until(t, func() bool { return s.depth(broker) == 3 }, func() string { return "the first steps are published" })
	stop() // no relay sends them again
	_, err := s.PauseNamespace(t.Context(), "shop", executor.By{Actor: "ann"})
	require.NoError(t, err)
	w := newWorker(t, s.pool, worker.Config{Broker: broker})
	handleLetters(w, succeed)
	start(t, w)
	until(t, func() bool { return s.depth(broker) == 0 }, func() string { return "the worker has the messages" })
	_, err = s.ResumeNamespace(t.Context(), "shop")
	require.NoError(t, err)
	for _, task := range tasks {
		until(t, func() bool { return s.step(task, "a").State == state.StepComplete }, func() string { return "they come again" })
	}
}

func TestRun_TakesLimitedStepsFromTheirLine(t *testing.T) {
	t.Parallel()
	s, broker := brokered(t, map[string]string{"limited": `[{"name": "a", "limit": "one"}, {"name": "b", "dependencies": ["a"]}]`})
	one := int32(1)
	_, err := s.SetLimit(t.Context(), sqlfn.SetLimitParams{Namespace: "shop", Name: "one", Concurrency: &one})
	require.NoError(t, err)
	relaySteps(t, s, broker)
	w := newWorker(t, s.pool, worker.Config{Broker: broker})
	handleLetters(w, succeed)
	start(t, w)
	tasks := s.createMany("limited", 5)
	s.waitAll()
	s.sound(tasks...)
}

func TestRun_APurgedQueueIsFilledAgain(t *testing.T) {
	t.Parallel()
	s, broker := brokered(t, map[string]string{"chain": chain})
	relaySteps(t, s, broker)
	tasks := s.createMany("chain", 10)
	until(t, func() bool { return s.depth(broker) == 10 }, func() string { return "the first steps are published" })
	_, err := s.pool.Exec(t.Context(), `select pgmq.purge_queue('steps-shop')`)
	require.NoError(t, err)
	w := newWorker(t, s.pool, worker.Config{Broker: broker})
	handleLetters(w, succeed)
	start(t, w)
	s.waitAll()
	s.sound(tasks...)
}

// counted is a queue that counts the messages it has sent.
type counted struct {
	messaging.Queue
	sent chan<- int
}

func (q counted) Send(ctx context.Context, messages ...messaging.Message) error {
	err := q.Queue.Send(ctx, messages...)
	if err == nil {
		q.sent <- len(messages)
	}
	return err
}

// ready is a queue that returns the messages that it had when it was opened, at once and even after the end of the call. So
// every lane with messages returns some in each round, however busy the machine is.
type ready struct {
	messaging.Queue
	mu   sync.Mutex
	got  []messaging.Delivery
	back chan struct{} // closed when a message is returned to the queue
}

func openReady(ctx context.Context, queue messaging.Queue) (*ready, error) {
	q := &ready{Queue: queue, back: make(chan struct{})}
	depth, err := queue.Depth(ctx)
	for err == nil && len(q.got) < int(depth) {
		var more []messaging.Delivery
		more, err = queue.Receive(ctx, messaging.MaxBatch)
		q.got = append(q.got, more...)
	}
	return q, err
}

func (q *ready) Receive(ctx context.Context, most int) ([]messaging.Delivery, error) {
	for {
		q.mu.Lock()
		n, back := min(most, len(q.got)), q.back
		got := q.got[:n:n]
		q.got = q.got[n:]
		q.mu.Unlock()
		if n > 0 {
			return got, nil
		}
		select {
		case <-back:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (q *ready) Refuse(_ context.Context, delivery messaging.Delivery) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.got = append([]messaging.Delivery{delivery}, q.got...)
	close(q.back)
	q.back = make(chan struct{})
	return nil
}

func (*ready) Acknowledge(context.Context, messaging.Delivery) error { return nil }

func TestRun_TheFastLaneGoesFirst(t *testing.T) {
	t.Parallel()
	s, broker := brokered(t, map[string]string{
		"lanes": `[{"name": "a"}, {"name": "b", "priority": 5}, {"name": "c", "priority": -5}]`,
	})
	const n = 12
	sent := make(chan int, 3*n)
	relayStepsAgain(t, s, func(ctx context.Context, config messaging.Config) (messaging.Queue, error) {
		queue, err := broker(ctx, config)
		return counted{queue, sent}, err
	}, time.Hour)
	s.createMany("lanes", n)
	for published := 0; published < 3*n; {
		published += <-sent
	}
	ran := make(chan string, 3*n)
	w := newWorker(t, s.pool, worker.Config{Concurrency: 1, Broker: func(ctx context.Context, config messaging.Config) (messaging.Queue, error) {
		queue, err := broker(ctx, config)
		if err != nil {
			return nil, err
		}
		return openReady(ctx, queue)
	}})
	handleLetters(w, func(_ context.Context, job *worker.Job[none]) (none, error) {
		ran <- job.Name // one job at a time
		return none{}, nil
	})
	start(t, w)
	var order []string
	for range 3 * n {
		order = append(order, <-ran)
	}
	at := map[string][]int{}
	for i, name := range order {
		at[name] = append(at[name], i)
	}
	require.Less(t, at["b"][n-1], 2*n, "half of the places are theirs at least: %v", order)
	require.Less(t, at["a"][n-1], at["c"][n-1], "%v", order)
}
