package pgmq

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/queuewake"
	"github.com/pgtasker/pgtasker/messaging"
)

// Config says which queue, and how its receivers are woken. Only the queue's name is needed.
type Config struct {
	messaging.Config
	// Connect opens the connection that listens for messages. Default: none, Receive polls.
	Connect executor.Connect
	// PollInterval is how long Receive waits at most before it queries again. A message that comes back, or was sent
	// with a delay, is found by that only. Default: 1 s.
	PollInterval time.Duration
	// Logger receives lost connections. Default: slog.Default().
	Logger *slog.Logger
}

// queue is a queue of pgmq. It implements [messaging.Queue].
type queue struct {
	config Config
	name   string
	pool   *pgxpool.Pool
	sql    *executor.SqlFunctionExecutor
	bell   bell
	// close ends closed, the context of the open queue.
	closed context.Context
	close  context.CancelFunc
	listen sync.WaitGroup
	// giveWay has the listener give its connection up.
	giveWay chan struct{}
}

var _ messaging.Queue = (*queue)(nil)

// Open returns a queue, which it creates if it is not there, with that of its dead letters. To be closed by
// [messaging.Queue.Close]. Pool stays open.
func Open(ctx context.Context, pool *pgxpool.Pool, config Config) (messaging.Queue, error) {
	complete, err := config.Complete()
	if err != nil {
		return nil, err
	}
	config.Config = complete
	if config.PollInterval <= 0 {
		config.PollInterval = time.Second
	}
	if config.Logger == nil {
		config.Logger = slog.Default()
	}
	q := &queue{config: config, name: config.Name, pool: pool, sql: executor.New(pool), giveWay: make(chan struct{}, 1)}
	if err := q.create(ctx); err != nil {
		return nil, err
	}
	q.closed, q.close = context.WithCancel(context.Background())
	if config.Connect != nil {
		namespace, err := q.sql.ExtractQueueNamespace(ctx, q.name)
		if err != nil {
			q.close()
			return nil, err
		}
		q.listen.Go(func() { q.hear(namespace) })
	}
	return q, nil
}

// create creates the queues that are missing.
func (q *queue) create(ctx context.Context) error {
	names := []string{q.name}
	if q.config.MaxDeliveries > 0 {
		names = append(names, messaging.DeadLetters(q.name))
	}
	for _, name := range names {
		var err error
		if q.config.Existing {
			_, err = q.sql.GetQueueStatistics(ctx, name)
		} else {
			_, err = q.sql.EnsureTaskQueue(ctx, name)
		}
		if err != nil {
			return fmt.Errorf("open queue %q: %w", name, err)
		}
	}
	return nil
}

// hear rings the bell for announced messages until the queue is closed.
func (q *queue) hear(namespace string) {
	config := queuewake.ListenConfig{Namespaces: []string{namespace}, Logger: q.config.Logger, GiveWay: q.giveWay}
	// Its error is nil: it ends when the queue is closed.
	_ = queuewake.Listen(q.closed, q.config.Connect, config, func(_ context.Context, w queuewake.Wake) {
		if w.Queue == "" || w.Queue == q.name {
			q.bell.ring()
		}
	})
}

// Close ends the queue's goroutine and the calls of Receive. Received messages stay hidden until their leases end.
func (q *queue) Close() error {
	q.close()
	q.listen.Wait()
	return nil
}

// Send implements [messaging.Queue].
func (q *queue) Send(ctx context.Context, messages ...messaging.Message) error {
	if q.closed.Err() != nil {
		return messaging.ErrClosed
	}
	return send(ctx, q.sql, q.name, messages)
}

// Send sends messages to a queue in the caller's transaction: they are sent when it commits, and only then.
func Send(ctx context.Context, tx executor.DBTX, queue string, messages ...messaging.Message) error {
	return send(ctx, executor.New(tx), queue, messages)
}

func send(ctx context.Context, sql *executor.SqlFunctionExecutor, queue string, messages []messaging.Message) error {
	messages, err := messaging.Prepare(messages)
	if err != nil {
		return err
	}
	params := sqlfn.PgmqSendBatchWithNotifyParams{QueueName: queue}
	for _, m := range messages {
		headers := maps.Clone(m.Headers)
		if headers == nil {
			headers = map[string]string{}
		}
		headers[messaging.HeaderID] = m.ID
		text, err := json.Marshal(headers)
		if err != nil {
			return err
		}
		params.Messages, params.Headers = append(params.Messages, m.Body), append(params.Headers, text)
	}
	if _, err := sql.PgmqSendBatchWithNotify(ctx, params); err != nil {
		return refused(err)
	}
	return nil
}

// Depth implements [messaging.Queue].
func (q *queue) Depth(ctx context.Context) (int64, error) {
	statistics, err := q.sql.GetQueueStatistics(ctx, q.name)
	if err != nil || len(statistics) != 1 {
		return 0, errors.Join(err, q.closedError())
	}
	return statistics[0].VisibleLength, q.closedError()
}

// Acknowledge implements [messaging.Queue].
func (q *queue) Acknowledge(ctx context.Context, delivery messaging.Delivery) error {
	id, reads, err := q.parse(delivery)
	if err != nil {
		return err
	}
	return expired(q.sql.PgmqAcknowledgeMessage(ctx, q.name, id, reads))
}

// Refuse implements [messaging.Queue].
func (q *queue) Refuse(ctx context.Context, delivery messaging.Delivery) error {
	if err := q.hide(ctx, delivery, 0); err != nil {
		return err
	}
	q.bell.ring()
	return nil
}

// Extend implements [messaging.Queue].
func (q *queue) Extend(ctx context.Context, delivery messaging.Delivery, lease time.Duration) error {
	if err := messaging.CheckLease(lease); err != nil {
		return err
	}
	return q.hide(ctx, delivery, lease)
}

func (q *queue) hide(ctx context.Context, delivery messaging.Delivery, lease time.Duration) error {
	id, reads, err := q.parse(delivery)
	if err != nil {
		return err
	}
	seconds := int32(lease / time.Second)
	return expired(q.sql.PgmqHideMessage(ctx, sqlfn.PgmqHideMessageParams{QueueName: q.name, TargetMsgID: id, ReadCt: reads, VtSeconds: &seconds}))
}

// receipt names a delivery: the message and how often it was read.
func receipt(m gen.QueueMessage) string { return fmt.Sprintf("%d/%d", m.MsgID, m.ReadCt) }

func (q *queue) parse(delivery messaging.Delivery) (id int64, reads int32, err error) {
	if q.closed.Err() != nil {
		return 0, 0, messaging.ErrClosed
	}
	number, count, _ := strings.Cut(delivery.Receipt, "/")
	id, err = strconv.ParseInt(number, 10, 64)
	if err == nil {
		var parsed int64
		parsed, err = strconv.ParseInt(count, 10, 32)
		reads = int32(parsed)
	}
	if err != nil {
		return 0, 0, fmt.Errorf("%.100q is no receipt of this queue: %w", delivery.Receipt, messaging.ErrInvalid)
	}
	return id, reads, nil
}

func (q *queue) closedError() error {
	if q.closed.Err() != nil {
		return messaging.ErrClosed
	}
	return nil
}

// expired makes an error of a message that another delivery has.
func expired(held bool, err error) error {
	if err == nil && !held {
		return messaging.ErrExpired
	}
	return err
}

// refused makes ErrInvalid of an error about a message that the database will never accept.
func refused(err error) error {
	for _, never := range []error{executor.ErrInvalid, executor.ErrTooLarge} {
		if errors.Is(err, never) {
			return fmt.Errorf("%w: %w", messaging.ErrInvalid, err)
		}
	}
	return err
}

// delivery makes a delivery of a row.
func delivery(m gen.QueueMessage) messaging.Delivery {
	d := messaging.Delivery{Attempt: int(m.ReadCt), Receipt: receipt(m)}
	d.ID, d.Body = strconv.FormatInt(m.MsgID, 10), m.Message
	if d.Body == nil {
		d.Body = json.RawMessage("null")
	}
	// SQL senders may have written any JSON: headers that are no object are none, and a value that is no text is its
	// JSON text.
	var headers map[string]json.RawMessage
	if err := json.Unmarshal(m.Headers, &headers); err != nil {
		return d
	}
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		var value string
		if err := json.Unmarshal(headers[name], &value); err != nil {
			value = string(headers[name])
		}
		if name == messaging.HeaderID {
			d.ID = value
			continue
		}
		if d.Headers == nil {
			d.Headers = map[string]string{}
		}
		d.Headers[name] = value
	}
	return d
}
