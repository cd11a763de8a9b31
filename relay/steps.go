package relay

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/listen"
	"github.com/pgtasker/pgtasker/internal/stepmessage"
	"github.com/pgtasker/pgtasker/messaging"
)

// brokered is the transport of namespaces whose steps a relay publishes.
const brokered = "broker"

// publishers publish the ready steps of namespaces with transport broker, each namespace in a goroutine of its own.
type publishers struct {
	relay *relay
	all   sync.WaitGroup

	mu      sync.Mutex
	running map[string]*publisher
	hears   bool
}

// follow has one goroutine for each namespace with transport broker.
func (p *publishers) follow(ctx context.Context) error {
	if p.relay.config.Steps == nil {
		return nil
	}
	var namespaces []gen.TaskNamespace
	err := p.relay.call(ctx, "listing namespaces", func(ctx context.Context) (err error) {
		namespaces, err = p.relay.sql.ListNamespaces(ctx)
		return err
	})
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	wanted := map[string]bool{}
	for _, n := range namespaces {
		wanted[n.Name] = n.Transport == brokered
	}
	for name, one := range p.running {
		if !wanted[name] {
			one.cancel()
			<-one.done
			delete(p.running, name)
		}
	}
	for name, yes := range wanted {
		if !yes || p.running[name] != nil {
			continue
		}
		one := &publisher{
			relay: p.relay, namespace: name, done: make(chan struct{}), wake: make(chan struct{}, 1),
			queues: map[string]messaging.Queue{}, looked: map[string]time.Time{},
		}
		one.ctx, one.cancel = context.WithCancel(ctx)
		p.running[name] = one
		p.all.Go(one.run)
	}
	if len(p.running) > 0 && !p.hears {
		p.hears = true
		p.all.Go(func() { p.listen(ctx) })
	}
	return nil
}

func (p *publishers) stop() {
	p.mu.Lock()
	for _, one := range p.running {
		one.cancel()
	}
	p.mu.Unlock()
	p.all.Wait()
}

// listen wakes publishers when steps are announced. Without announcements they poll.
func (p *publishers) listen(ctx context.Context) {
	const channel, every = "tasker_steps_ready.", 10 * time.Second
	var heard []string
	wake := func(namespace string) {
		p.mu.Lock()
		defer p.mu.Unlock()
		for name, one := range p.running {
			if namespace == "" || namespace == name {
				select {
				case one.wake <- struct{}{}:
				default:
				}
			}
		}
	}
	l := &listen.Listener{
		Connect: listen.ConnectLike(p.relay.pool), PollInterval: every, MaxReconnectDelay: every / 2, Logger: p.relay.config.Logger,
		Channels: func(ctx context.Context, conn *pgx.Conn) ([]string, error) {
			p.mu.Lock()
			heard = nil
			for name := range p.running {
				heard = append(heard, channel+name)
			}
			p.mu.Unlock()
			if len(heard) == 0 {
				return nil, errors.New("no namespace has transport broker")
			}
			return heard, conn.Ping(ctx)
		},
		Hearer: listen.Func(func(n *pgconn.Notification) {
			if n == nil {
				wake("")
				return
			}
			wake(n.Channel[min(len(channel), len(n.Channel)):])
		}),
		Marks: listen.Channels{Sleeper: uuid.New(), Names: func() []string { return heard }},
	}
	p.relay.listener.Store(l)
	l.Run(ctx)
}

// publisher publishes the ready steps of one namespace. Several may, in several processes.
type publisher struct {
	relay     *relay
	namespace string
	ctx       context.Context
	cancel    context.CancelFunc
	done      chan struct{}
	wake      chan struct{}
	queues    map[string]messaging.Queue // by lane
	looked    map[string]time.Time       // when lost messages were last looked for
}

func (p *publisher) run() {
	defer close(p.done)
	defer p.cancel()
	defer func() {
		for _, queue := range p.queues {
			_ = queue.Close()
		}
	}()
	config := p.relay.config
	for failures := int32(0); p.ctx.Err() == nil; {
		published := 0
		var err error
		for _, lane := range stepmessage.Lanes() {
			n, laneErr := p.publish(p.ctx, lane)
			published, err = published+n, errors.Join(err, laneErr)
		}
		pause := config.PollInterval
		switch {
		case p.ctx.Err() != nil:
			return
		case err != nil:
			if !errors.As(err, new(databaseError)) {
				p.relay.watch.FailedElsewhere("publishing to the queues of namespace "+p.namespace, err)
			}
			pause = backoff(config.PollInterval, 5*time.Second, failures)
			failures++
		default:
			failures = 0
			p.relay.watch.Worked("publishing to the queues of namespace " + p.namespace)
			if published > 0 {
				continue
			}
		}
		select {
		case <-p.ctx.Done():
		case <-p.wake:
		case <-time.After(pause):
		}
	}
}

// publish sends messages for ready steps of a lane, unless its queue is as long as it may be. Marked first and sent then,
// a step whose message is not sent because the process ends is due again after StepAgain.
func (p *publisher) publish(ctx context.Context, lane string) (int, error) {
	config := p.relay.config
	queue := p.queues[lane]
	if queue == nil {
		var err error
		if queue, err = config.Steps(ctx, stepmessage.Queue(p.namespace, lane)); err != nil {
			return 0, fmt.Errorf("open the queue of lane %s: %w", lane, err)
		}
		p.queues[lane] = queue
	}
	var depth int64
	err := p.relay.within(ctx, func(ctx context.Context) (err error) {
		depth, err = queue.Depth(ctx)
		return err
	})
	if err != nil {
		return 0, err
	}
	room := int64(config.StepDepth) - depth
	if room <= 0 {
		return 0, nil
	}
	look := int64(-1)
	if time.Since(p.looked[lane]) >= config.StepAgain/4 {
		look, p.looked[lane] = depth, time.Now()
	}
	var steps []gen.PublishedStep
	err = p.relay.call(ctx, "publishing steps", func(ctx context.Context) (err error) {
		steps, err = p.relay.sql.PublishSteps(ctx, sqlfn.PublishStepsParams{
			Namespace: p.namespace, Lane: lane, Limit: int32(min(room, int64(config.Batch))), Depth: look,
			AgainSeconds: max(int32(config.StepAgain/time.Second), 1),
		})
		return err
	})
	if err != nil || len(steps) == 0 {
		return 0, err
	}
	messages := make([]messaging.Message, len(steps))
	for i, s := range steps {
		messages[i], err = stepmessage.Body{
			Namespace: p.namespace, TaskUUID: s.TaskUUID, StepUUID: s.StepUUID, Handler: s.Handler, CorrelationID: s.CorrelationID,
		}.Message()
		if err != nil {
			return 0, err
		}
	}
	for tries := int32(0); ; tries++ {
		err := p.relay.within(ctx, func(ctx context.Context) error { return queue.Send(ctx, messages...) })
		if err == nil {
			return len(steps), nil
		}
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		p.relay.watch.FailedElsewhere("publishing to the queues of namespace "+p.namespace, err, "lane", lane, "steps", len(steps))
		if !wait(ctx, backoff(50*time.Millisecond, 5*time.Second, tries)) {
			return 0, ctx.Err()
		}
	}
}
