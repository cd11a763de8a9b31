package rabbitmq_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/stepmessage"
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
	"github.com/pgtasker/pgtasker/messaging"
	"github.com/pgtasker/pgtasker/messaging/rabbitmq"
	"github.com/pgtasker/pgtasker/relay"
	"github.com/pgtasker/pgtasker/worker"
)

// Processes of the storm are this test program, started again with a role in its environment: they are killed with
// SIGKILL, which no goroutine can stand for.
const (
	roleVariable      = "PGTASKER_STORM_ROLE"
	databaseVariable  = "PGTASKER_STORM_DATABASE"
	namespaceVariable = "PGTASKER_STORM_NAMESPACE"
)

// play is the life of a process of the storm.
func play(role string) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	pool, err := pgxpool.New(ctx, os.Getenv(databaseVariable))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer pool.Close()
	quiet := slog.New(slog.DiscardHandler)
	broker := brokerAt(os.Getenv("PGTASKER_TEST_RABBITMQ"))
	switch role {
	case "relay":
		err = relay.Run(ctx, pool, relay.Config{
			Steps: broker, StepAgain: 2 * time.Second, PollInterval: 20 * time.Millisecond, ListInterval: 100 * time.Millisecond,
			Lease: 2 * time.Second, FirstRetry: 20 * time.Millisecond, MaxRetry: 200 * time.Millisecond, MaxAttempts: 1_000_000, Logger: quiet,
		})
	case "worker":
		var w *worker.Worker
		w, err = worker.New(pool, worker.Config{
			Broker: broker, Lease: 2 * time.Second, Concurrency: 8, Namespaces: []string{os.Getenv(namespaceVariable)},
			PollInterval: time.Second, NoMaintenance: true, Logger: quiet,
		})
		if err == nil {
			for _, name := range []string{"a", "b", "c"} {
				worker.Handle(w, name, func(context.Context, *worker.Job[struct{}]) (struct{}, error) {
					time.Sleep(time.Duration(rand.IntN(20)) * time.Millisecond)
					return struct{}{}, nil
				})
			}
			err = w.Run(ctx)
		}
	case "subscriber":
		err = executor.NewClient(pool).Feed().Consume(ctx, executor.SubscribeConfig{Subscription: "all", Lease: 2 * time.Second, PollInterval: 20 * time.Millisecond, Logger: quiet},
			func(_ context.Context, events []executor.FeedEvent) error {
				out := bufio.NewWriter(os.Stdout)
				for _, e := range events {
					step := uuid.Nil
					if e.WorkflowStepUUID != nil {
						step = *e.WorkflowStepUUID
					}
					if _, err := fmt.Fprintln(out, e.EventUUID, e.TaskUUID, step, e.SortKey); err != nil {
						return err
					}
				}
				return out.Flush()
			})
	}
	if err != nil && ctx.Err() == nil {
		fmt.Fprintln(os.Stderr, role, err)
		return 1
	}
	return 0
}

func brokerAt(url string) messaging.Open { return brokerOver(url, nil) }

func brokerOver(url string, secured *tls.Config) messaging.Open {
	return func(ctx context.Context, config messaging.Config) (messaging.Queue, error) {
		return rabbitmq.Open(ctx, rabbitmq.Config{Config: config, URL: url, TLS: secured, MaxReconnectDelay: 500 * time.Millisecond, Logger: slog.New(slog.DiscardHandler)})
	}
}

// stage is a database and a namespace of its own, whose steps go over RabbitMQ.
type stage struct {
	t         *testing.T
	pool      *pgxpool.Pool
	sql       *direct.Executor
	url       string
	namespace string
	broker    messaging.Open
}

func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{t: t, url: address(t, "PGTASKER_TEST_RABBITMQ"), namespace: "n" + strings.ReplaceAll(uuid.NewString(), "-", "")[:20]}
	s.pool, s.broker = pgtest.New(t, pgtest.MaxConns(20)), brokerAt(s.url)
	s.sql = direct.New(s.pool)
	for _, template := range []string{
		`{"namespace": %q, "name": "chain", "identity_strategy": "always_unique", "steps": [{"name": "a"}, {"name": "b", "dependencies": ["a"]}, {"name": "c", "dependencies": ["b"]}]}`,
		`{"namespace": %q, "name": "one", "identity_strategy": "always_unique", "steps": [{"name": "a", "retry": {"max_attempts": 5}}]}`,
		`{"namespace": %q, "name": "lanes", "identity_strategy": "always_unique", "steps": [{"name": "a"}, {"name": "b", "priority": 5}, {"name": "c", "priority": -5}]}`,
	} {
		_, err := s.pool.Exec(t.Context(), "select tasker.register_task_template($1)", fmt.Sprintf(template, s.namespace))
		require.NoError(t, err)
	}
	s.transport("broker")
	return s
}

func (s *stage) transport(transport string) {
	s.t.Helper()
	_, err := s.sql.RegisterNamespace(s.t.Context(), sqlfn.RegisterNamespaceParams{Name: s.namespace, Transport: transport})
	require.NoError(s.t, err)
}

func (s *stage) create(name string, n int) {
	s.t.Helper()
	_, err := s.pool.Exec(s.t.Context(), "select tasker.create_task($1, $2, '{}') from generate_series(1, $3)", s.namespace, name, n)
	require.NoError(s.t, err)
}

// relay runs a relay over this broker until the function that it returns is called.
func (s *stage) relay(broker messaging.Open) (stop func()) {
	s.t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(s.t.Context()))
	ended := make(chan error, 1)
	go func() {
		ended <- relay.Run(ctx, s.pool, relay.Config{
			Steps: broker, StepAgain: time.Second, PollInterval: 20 * time.Millisecond, ListInterval: 50 * time.Millisecond,
			Logger: slog.New(slog.DiscardHandler),
		})
	}()
	stop = sync.OnceFunc(func() { cancel(); require.NoError(s.t, <-ended) })
	s.t.Cleanup(stop)
	return stop
}

func (s *stage) worker(concurrency int, handler worker.Handler[struct{}, struct{}]) (stop func()) {
	s.t.Helper()
	w, err := worker.New(s.pool, worker.Config{
		Broker: s.broker, Concurrency: concurrency, PollInterval: 200 * time.Millisecond, NoMaintenance: true, Logger: slog.New(slog.DiscardHandler),
	})
	require.NoError(s.t, err)
	for _, name := range []string{"a", "b", "c"} {
		worker.Handle(w, name, handler)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(s.t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	stop = sync.OnceFunc(func() { cancel(); require.NoError(s.t, <-ended) })
	s.t.Cleanup(stop)
	return stop
}

const allComplete = "select not exists (select from tasker.tasks as t where not t.complete)"

// done waits until every task is complete, and fails the test unless each step was completed once.
func (s *stage) done(within time.Duration) {
	s.t.Helper()
	s.until(within, "all tasks are complete", allComplete)
	s.until(0, "each step was completed once", `select not exists (
		select from tasker.workflow_steps as s
		 where s.state <> 'complete'
		    or (select count(*) from tasker.workflow_step_transitions as r where r.workflow_step_uuid = s.workflow_step_uuid and r.to_state = 'complete') <> 1)`)
	var problems string
	require.NoError(s.t, s.pool.QueryRow(s.t.Context(), "select coalesce(json_agg(c)::text, '') from tasker.check_integrity() as c").Scan(&problems))
	require.Empty(s.t, problems)
}

// until waits until a query is true.
func (s *stage) until(within time.Duration, what, query string) {
	s.t.Helper()
	for end := time.Now().Add(within); ; {
		var holds bool
		require.NoError(s.t, s.pool.QueryRow(s.t.Context(), query).Scan(&holds))
		if holds {
			return
		}
		if !time.Now().Before(end) {
			require.Fail(s.t, "it does not become so that "+what, s.waiting())
		}
		<-time.After(20 * time.Millisecond)
	}
}

// waiting says which steps wait, in the table and at the broker.
func (s *stage) waiting() string {
	s.t.Helper()
	var rows string
	require.NoError(s.t, s.pool.QueryRow(s.t.Context(), `select coalesce(string_agg(format('%s %s', q.lane, q.n), ', '), 'none')
		from (select q.lane, count(*) as n from tasker.step_queue as q group by q.lane) as q`).Scan(&rows))
	out, err := exec.CommandContext(s.t.Context(), address(s.t, "PGTASKER_TEST_RABBITMQ_CTL"), "list_queues", "name", "messages", "messages_unacknowledged", "consumers").CombinedOutput()
	return fmt.Sprintf("queue rows: %s; the broker: %s %v", rows, out, err)
}

// reach waits until count returns want, however long that takes while the count grows. It fails the test after 2,000 looks in a
// row that find no more although the broker answers: a busy machine makes looks slower, and a look at a broker that is starting
// does not count.
func (s *stage) reach(what string, want int, count func() int) {
	s.t.Helper()
	const looks = 2000    // at least 40 s, twice what a step may wait until it is published anyway
	var q messaging.Queue // none while the broker is starting
	defer func() {
		if q != nil {
			require.NoError(s.t, q.Close())
		}
	}()
	most := -1
	for idle := 0; most < want; {
		<-time.After(20 * time.Millisecond)
		var err error
		if q == nil {
			var opened messaging.Queue
			if opened, err = s.broker(s.t.Context(), stepmessage.Queue(s.namespace, "normal")); err == nil {
				q = opened // Open returns a typed nil with an error, which would not equal nil
			}
		} else {
			_, err = q.Depth(soon(s.t))
		}
		if n := count(); n > most {
			most, idle = n, 0
		} else if err == nil {
			idle++
		}
		if idle == looks {
			require.Fail(s.t, "no more come", "%d of %d %s; %s", most, want, what, s.waiting())
		}
	}
}

// completed waits until so many steps are complete, as reach does.
func (s *stage) completed(steps int) {
	s.t.Helper()
	s.reach("complete steps", steps, func() (complete int) {
		require.NoError(s.t, s.pool.QueryRow(s.t.Context(), "select count(*) from tasker.workflow_steps as s where s.state = 'complete'").Scan(&complete))
		return complete
	})
}

func (s *stage) published(n int) {
	s.t.Helper()
	s.until(30*time.Second, "steps are published", fmt.Sprintf("select count(*) = %d from tasker.step_queue as q where q.lane::text like 'published%%'", n))
}

// queue opens the queue of the normal lane, as another process would.
func (s *stage) queue() messaging.Queue {
	s.t.Helper()
	q, err := s.broker(s.t.Context(), stepmessage.Queue(s.namespace, "normal"))
	require.NoError(s.t, err)
	return q
}

func nothing(context.Context, *worker.Job[struct{}]) (struct{}, error) { return struct{}{}, nil }

// stuck is a queue whose Send ends with its process only: before the messages are sent, or after.
type stuck struct {
	messaging.Queue
	sends bool
	at    chan<- struct{}
}

func (q stuck) Send(ctx context.Context, messages ...messaging.Message) error {
	if q.sends {
		if err := q.Queue.Send(ctx, messages...); err != nil {
			return err
		}
	}
	q.at <- struct{}{}
	<-ctx.Done()
	return ctx.Err()
}

// A process dies at each of these points, and the step has one result all the same.
func TestSteps_HaveOneResultWhereverAProcessDies(t *testing.T) {
	t.Parallel()
	address(t, "PGTASKER_TEST_RABBITMQ")
	die := func(s *stage, sends bool) {
		at := make(chan struct{})
		stop := s.relay(func(ctx context.Context, config messaging.Config) (messaging.Queue, error) {
			q, err := s.broker(ctx, config)
			return stuck{Queue: q, sends: sends, at: at}, err
		})
		<-at
		stop()
	}
	take := func(s *stage, then func(q messaging.Queue, d messaging.Delivery, step uuid.UUID)) {
		stop := s.relay(s.broker)
		q := s.queue()
		got, err := q.Receive(soon(s.t), 1) // Marked it is earlier, and not sent yet.
		require.NoError(s.t, err)
		stop()
		then(q, got[0], uuid.MustParse(got[0].ID))
		require.NoError(s.t, q.Close())
	}
	claim := func(s *stage, step uuid.UUID) {
		reply, err := s.sql.ClaimDeliveredSteps(s.t.Context(), []uuid.UUID{step}, uuid.New(), time.Second)
		require.NoError(s.t, err)
		require.Len(s.t, reply.Claimed, 1)
	}
	for point, reach := range map[string]func(s *stage){
		"between mark and publish":    func(s *stage) { die(s, false) },
		"between publish and confirm": func(s *stage) { die(s, true) },
		"between delivery and claim": func(s *stage) {
			take(s, func(messaging.Queue, messaging.Delivery, uuid.UUID) {})
		},
		"between claim and acknowledgement": func(s *stage) {
			take(s, func(_ messaging.Queue, _ messaging.Delivery, step uuid.UUID) { claim(s, step) })
		},
		"between acknowledgement and result": func(s *stage) {
			take(s, func(q messaging.Queue, d messaging.Delivery, step uuid.UUID) {
				claim(s, step)
				require.NoError(s.t, q.Acknowledge(soon(s.t), d))
			})
		},
	} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.create("one", 1)
			reach(s)
			s.relay(s.broker)
			s.worker(2, nothing)
			s.done(within)
		})
	}
}

// From the beginning on no message is unacknowledged, so that no timeout of the broker concerns a step that takes long.
func TestSteps_ThatTakeLongHoldNoMessage(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.relay(s.broker)
	begun, end := make(chan struct{}), make(chan struct{})
	s.worker(2, func(context.Context, *worker.Job[struct{}]) (struct{}, error) {
		begun <- struct{}{}
		<-end
		return struct{}{}, nil
	})
	s.create("one", 1)
	<-begun
	for messages := "?"; messages != "0"; {
		out, err := exec.CommandContext(t.Context(), address(t, "PGTASKER_TEST_RABBITMQ_CTL"), "-q", "--no-table-headers", "list_queues", "name", "messages").CombinedOutput()
		require.NoError(t, err, "%s", out)
		for line := range strings.Lines(string(out)) {
			if name, n, _ := strings.Cut(strings.TrimSpace(line), "\t"); name == stepmessage.Queue(s.namespace, "normal").Name {
				messages = n
			}
		}
		require.NoError(t, soon(t).Err())
	}
	close(end)
	s.done(within)
}

// The relay and the worker speak TLS, verify the broker and show their certificates, also when they connect again.
func TestSteps_OverTLS(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	var n network
	url, secured := address(t, "PGTASKER_TEST_RABBITMQ_TLS"), secured(t)
	s.broker = func(ctx context.Context, config messaging.Config) (messaging.Queue, error) {
		return rabbitmq.Open(ctx, rabbitmq.Config{Config: config, URL: url, TLS: secured, Dial: n.dial, Logger: slog.New(slog.DiscardHandler)})
	}
	s.relay(s.broker)
	s.create("chain", 10)
	s.published(10)
	n.sever()
	s.worker(5, nothing)
	s.done(within)
}

// A relay that does not trust the broker publishes nothing, and the steps wait for one that does.
func TestSteps_WaitForARelayThatTrustsTheBroker(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	url := address(t, "PGTASKER_TEST_RABBITMQ_TLS")
	refused := make(chan error, 1)
	stop := s.relay(func(ctx context.Context, config messaging.Config) (messaging.Queue, error) {
		q, err := brokerOver(url, nil)(ctx, config)
		select {
		case refused <- err:
		default:
		}
		return q, err
	})
	s.create("one", 1)
	var unverified *tls.CertificateVerificationError
	select {
	case err := <-refused:
		require.ErrorAs(t, err, &unverified)
	case <-time.After(within):
		require.Fail(t, "the relay did not connect")
	}
	stop()
	var waiting bool
	require.NoError(t, s.pool.QueryRow(t.Context(),
		"select count(*) = 1 and not bool_or(q.lane::text like 'published%') from tasker.step_queue as q").Scan(&waiting))
	require.True(t, waiting, "the step waits in the table")
	q := s.queue()
	depth, err := q.Depth(soon(t))
	require.NoError(t, err)
	require.Zero(t, depth, "nothing was published")
	require.NoError(t, q.Close())
	s.relay(brokerOver(url, secured(t)))
	s.worker(2, nothing)
	s.done(within)
}

func TestSteps_OfAPurgedQueueAreSentAgain(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.relay(s.broker)
	s.create("chain", 20)
	s.published(20)
	ctl(t, "purge_queue", stepmessage.Queue(s.namespace, "normal").Name)
	s.worker(5, nothing)
	s.done(within)
}

func TestSteps_OfTheFastLaneGoFirst(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.relay(s.broker)
	const n = 12
	s.create("lanes", n)
	s.published(3 * n)
	var order []string
	s.worker(1, func(_ context.Context, job *worker.Job[struct{}]) (struct{}, error) {
		order = append(order, job.Name) // one at a time
		return struct{}{}, nil
	})
	s.completed(3 * n)
	s.done(within)
	mean := map[string]float64{}
	for i, name := range order {
		mean[name] += float64(i) / n
	}
	require.Less(t, mean["b"], mean["a"], "%v", order)
	require.Less(t, mean["a"], mean["c"], "%v", order)
}

func TestSteps_WaitInTheTableWhenTheirQueueIsLong(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- relay.Run(ctx, s.pool, relay.Config{
			Steps: s.broker, StepDepth: 7, StepAgain: time.Hour, PollInterval: 5 * time.Millisecond, ListInterval: 20 * time.Millisecond,
			Logger: slog.New(slog.DiscardHandler),
		})
	}()
	s.create("one", 30)
	s.published(7)
	q := s.queue()
	for range 20 { // looks of the relay
		depth, err := q.Depth(soon(t))
		require.NoError(t, err)
		require.LessOrEqual(t, depth, int64(7))
	}
	require.NoError(t, q.Close())
	s.worker(5, nothing)
	s.done(within)
	cancel()
	require.NoError(t, <-ended)
}

// The tests that follow disturb all other tests, so they are not parallel.

// The broker closes the channel of who holds a message for longer than its consumer_timeout, here a second instead of half an
// hour. A step that takes longer runs once all the same.
func TestSteps_MayTakeLongerThanTheBrokersTimeout(t *testing.T) {
	s := newStage(t)
	timeout := func(timeout, tick time.Duration) {
		ctl(t, "eval", fmt.Sprintf("application:set_env(rabbit, consumer_timeout, %d), application:set_env(rabbit, channel_tick_interval, %d).",
			timeout.Milliseconds(), tick.Milliseconds()))
	}
	timeout(time.Second, 100*time.Millisecond)
	t.Cleanup(func() { timeout(30*time.Minute, time.Minute) })
	s.relay(s.broker)
	begun, end := make(chan struct{}), make(chan struct{})
	var runs atomic.Int32
	s.worker(2, func(context.Context, *worker.Job[struct{}]) (struct{}, error) {
		if runs.Add(1) == 1 {
			close(begun)
		}
		<-end
		return struct{}{}, nil
	})
	s.create("one", 1)
	<-begun

	q := open(t, rabbitmq.Config{Config: messaging.Config{Name: name()}, URL: s.url})
	require.NoError(t, q.Send(soon(t), message(`"held"`)))
	_, err := q.Receive(soon(t), 1)
	require.NoError(t, err)
	again, err := q.Receive(soon(t), 1)
	require.NoError(t, err, "the broker takes a message away from who holds it for that long")
	require.Equal(t, 2, again[0].Attempt)
	close(end)
	s.done(within)
	require.EqualValues(t, 1, runs.Load())
}

func TestSteps_GoOverTheTableWhileTheBrokerIsDown(t *testing.T) {
	s := newStage(t)
	s.relay(s.broker)
	s.worker(5, nothing)
	s.create("chain", 5)
	s.done(within)
	ctl(t, "stop_app")
	s.create("chain", 5)
	s.transport("table")
	s.done(within)
	s.transport("broker")
	s.create("chain", 5)
	ctl(t, "start_app")
	s.done(within)
}

// Relays, workers and subscribers are processes that are killed with SIGKILL at random times, and so is the broker in the long
// form, while tasks are created: no step is lost, none is recorded twice, every event is delivered, in
// order per step and per task, and soon after the storm all is done.
func TestSteps_SurviveKilledProcesses(t *testing.T) {
	s := newStage(t)
	seconds, err := strconv.Atoi(os.Getenv("PGTASKER_STORM_SECONDS"))
	long := err == nil
	if !long {
		seconds = 4
	}
	_, err = s.pool.Exec(t.Context(), "select tasker.subscribe('all')")
	require.NoError(t, err)
	storm, end := context.WithTimeout(t.Context(), time.Duration(seconds)*time.Second)
	defer end()
	calm := make(chan struct{})
	var heard ledger
	heard.last = map[string]int{}
	heard.got = map[string]bool{}
	var slots sync.WaitGroup
	var killed sync.Map
	for i, role := range []string{"relay", "relay", "worker", "worker", "subscriber", "subscriber"} {
		slots.Go(func() { killed.Store(i, s.perform(storm, calm, role, &heard)) })
	}
	crashes := 0
	for turn := 1; storm.Err() == nil; turn++ {
		s.create("chain", 5)
		select {
		case <-storm.Done():
		case <-time.After(100 * time.Millisecond):
		}
		if long && turn%150 == 75 { // the others stop it, which takes long
			killBroker(t)
			crashes++
		}
	}
	quiet := time.Now()
	var steps int
	require.NoError(t, s.pool.QueryRow(t.Context(), "select count(*) from tasker.workflow_steps").Scan(&steps))
	s.completed(steps)
	s.until(within, "all tasks are complete", allComplete)
	worked := time.Since(quiet)
	s.done(0)
	var want int
	require.NoError(t, s.pool.QueryRow(t.Context(), `select (select count(*) from tasker.task_transitions)
		+ (select count(*) from tasker.workflow_step_transitions as s where s.sort_key > 0)`).Scan(&want))
	s.reach("events that were delivered", want, heard.count)
	delivered := time.Since(quiet)
	close(calm)
	slots.Wait()
	require.Empty(t, heard.wrong)
	require.Equal(t, want, heard.count(), "and no other")
	kills := 0
	killed.Range(func(_, n any) bool { kills += n.(int); return true })
	var tasks int
	require.NoError(t, s.pool.QueryRow(t.Context(), "select count(*) from tasker.tasks").Scan(&tasks))
	t.Logf("%d tasks, %d events, %d processes killed, %d crashes of the broker; after the storm the last task ended within %v, the last event came within %v",
		tasks, want, kills, crashes, worked.Round(time.Millisecond), delivered.Round(time.Millisecond))
	require.Positive(t, kills)
	require.Positive(t, replaytest.Recorded(t, s.pool))
}

// killBroker kills the broker with SIGKILL; tools/rabbitmq.sh starts it again.
func killBroker(t *testing.T) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), address(t, "PGTASKER_TEST_RABBITMQ_CTL"), "eval", "os:getpid().").CombinedOutput()
	require.NoError(t, err, "%s", out)
	pid, err := strconv.Atoi(strings.Trim(strings.TrimSpace(string(out)), "\""))
	require.NoError(t, err, "%s", out)
	require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
}

// perform runs one process of a role after the other, and kills each after a while; the last one when all is done. It
// returns how many it has killed during the storm.
func (s *stage) perform(storm context.Context, calm <-chan struct{}, role string, heard *ledger) (kills int) {
	for {
		process := exec.CommandContext(context.WithoutCancel(storm), os.Args[0])
		process.Env = append(os.Environ(), roleVariable+"="+role, databaseVariable+"="+pgtest.URL(s.pool), namespaceVariable+"="+s.namespace)
		process.Stderr = os.Stderr
		out, err := process.StdoutPipe()
		if err == nil {
			err = process.Start()
		}
		if err != nil {
			s.t.Error(err)
			return kills
		}
		read := make(chan struct{})
		go func() { heard.read(out); close(read) }()
		var life <-chan time.Time
		if storm.Err() == nil {
			life = time.After(time.Duration(500+rand.IntN(1500)) * time.Millisecond)
		}
		over := false
		select {
		case <-life:
			kills++
		case <-calm:
			over = true
		}
		_ = process.Process.Kill()
		<-read
		_ = process.Wait() // killed
		if over {
			return kills
		}
	}
}

// ledger is what subscribers were told.
type ledger struct {
	mu    sync.Mutex
	got   map[string]bool
	last  map[string]int // by log
	wrong []string
}

func (l *ledger) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.got)
}

func (l *ledger) read(from io.Reader) {
	lines := bufio.NewReader(from)
	for {
		line, err := lines.ReadString('\n')
		if err != nil { // the rest of a line was never written
			return
		}
		l.mu.Lock()
		event := strings.Fields(line)
		number, err := strconv.Atoi(event[3])
		log := event[1]
		if event[2] != uuid.Nil.String() {
			log = event[2]
		}
		if !l.got[event[0]] {
			if before, found := l.last[log]; err != nil || found && number != before+1 {
				l.wrong = append(l.wrong, fmt.Sprintf("%s: %s after %d", log, event[3], before))
			}
			l.got[event[0]], l.last[log] = true, number
		}
		l.mu.Unlock()
	}
}
