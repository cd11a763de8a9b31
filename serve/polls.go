package serve

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/listen"
)

// All waiting exchanges share one connection that listens. Exchanges of one token form a kind if they would claim for the same
// namespaces and handlers. A notification wakes the longest waiting exchange of each kind. If that exchange claims a step, it
// wakes the next exchange. So a thousand waiting exchanges of one kind cost as much as one.
const (
	// pollFloor is the time after which an exchange of each kind polls without a notification.
	pollFloor = time.Second
	// soonest is the shortest time between two polls of a kind that no notification caused.
	soonest = 20 * time.Millisecond
	// awakeAfter is how long transactions still notify the server after the last wait has ended.
	awakeAfter = 5 * time.Second
)

// polls is the state that the waiting exchanges share.
type polls struct {
	pool     *pgxpool.Pool
	config   *Config
	closing  chan struct{} // closed when the server stops
	listener *listen.Listener

	mu       sync.Mutex
	kinds    map[string]*kind
	turns    map[uuid.UUID]*turn
	hearers  map[*hearer]struct{}
	channels []string // the channels of all namespaces for which an exchange has waited
	waiting  int
	quiet    *time.Timer
	stop     context.CancelFunc // stops the listener; nil before the first wait
	stopped  sync.WaitGroup
	closed   bool
}

// kind is a set of exchanges that would claim the same steps.
type kind struct {
	namespaces []string
	members    int
	waiters    []chan struct{} // in the order of their waits
	woken      int             // how many exchanges are still to be woken
	floor      *time.Timer
}

// turn is the exchange that claims for a worker at present. A worker has only one such exchange at a time.
type turn struct {
	cancel context.CancelFunc
	done   chan struct{}
}

func newPolls(pool *pgxpool.Pool, config *Config) *polls {
	return &polls{pool: pool, config: config, closing: make(chan struct{}), kinds: map[string]*kind{}, turns: map[uuid.UUID]*turn{}, hearers: map[*hearer]struct{}{}}
}

// turn begins an exchange that claims for a worker. It ends an older claiming exchange of the same worker, since the client has
// given that exchange up.
func (p *polls) turn(ctx context.Context, worker uuid.UUID) (context.Context, func(), error) {
	ctx, cancel := context.WithCancel(ctx)
	mine := &turn{cancel: cancel, done: make(chan struct{})}
	p.mu.Lock()
	older := p.turns[worker]
	p.turns[worker] = mine
	p.mu.Unlock()
	leave := sync.OnceFunc(func() {
		p.mu.Lock()
		if p.turns[worker] == mine {
			delete(p.turns, worker)
		}
		p.mu.Unlock()
		cancel()
		close(mine.done)
	})
	if older != nil {
		older.cancel()
		select {
		case <-older.done:
		case <-ctx.Done():
			leave()
			return nil, nil, unavailable("a newer exchange of this worker has begun")
		}
	}
	return ctx, leave, nil
}

// poll repeats a claiming exchange until it has claimed a step or its time is over. While the exchange waits, it holds neither a connection
// nor a transaction.
func (s *Server) poll(ctx context.Context, c *caller, in exchangeIn, request json.RawMessage, out *exchangedBody, wait time.Duration) error {
	p := s.polls
	namespaces, err := s.namespacesOf(ctx, c, in.Namespaces)
	if err != nil {
		return err
	}
	k, leave, err := p.join(string(c.secret[:])+strings.Join(in.Namespaces, ",")+"\x00"+strings.Join(in.Handlers, "\x00"), namespaces)
	if err != nil {
		return err
	}
	defer leave()
	over := time.NewTimer(min(wait, s.config.MaxWait))
	defer over.Stop()
	for {
		woken := p.wokenOf(k)
		var due *time.Time
		if err := s.exchangeOnce(ctx, c, in, request, out, &due); err != nil {
			p.wake(k) // The other exchanges of the kind meet the same error.
			return err
		}
		if len(out.claims) > 0 {
			p.wake(k) // There may be more steps for the other exchanges.
			return nil
		}
		wake := p.wait(k, woken, due)
		select {
		case <-wake:
			continue
		case <-over.C:
		case <-ctx.Done():
		case <-p.closing:
		}
		p.leaveWait(k, wake)
		return nil
	}
}

// namespacesOf returns the namespaces whose notifications concern an exchange.
func (s *Server) namespacesOf(ctx context.Context, c *caller, given []string) ([]string, error) {
	if given != nil {
		return given, nil
	}
	var found []string
	err := s.transact(ctx, c, false, func(ctx context.Context, db executor.DBTX) error {
		rows, err := direct.New(db).ListNamespaces(ctx)
		for _, row := range rows {
			found = append(found, row.Name)
		}
		return err
	})
	return found, err
}

// join makes the caller a member of a kind.
func (p *polls) join(key string, namespaces []string) (*kind, func(), error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.waiting >= p.config.MaxPolling {
		return nil, nil, unavailable("too many exchanges wait for steps")
	}
	k := p.kinds[key]
	if k == nil {
		k = &kind{}
		p.kinds[key] = k
	}
	k.namespaces = namespaces
	k.members++
	p.waiting++
	return k, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		k.members--
		p.waiting--
		if k.members == 0 {
			delete(p.kinds, key)
			if k.floor != nil {
				k.floor.Stop()
			}
		}
		if p.waiting == 0 && !p.closed {
			p.quiet = time.AfterFunc(awakeAfter, p.fallSilent)
		}
	}, nil
}

func (p *polls) wokenOf(k *kind) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return k.woken
}

// wait returns a channel that is closed when the caller should claim again. The channel is closed at once if the kind was woken since the
// last claim.
func (p *polls) wait(k *kind, woken int, due *time.Time) chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	wake := make(chan struct{})
	if k.woken != woken {
		close(wake)
		return wake
	}
	k.waiters = append(k.waiters, wake)
	p.listenTo(k.namespaces)
	next := pollFloor
	if due != nil {
		if until := time.Until(*due); until > 0 {
			next = min(next, max(soonest, until))
		}
	}
	if k.floor != nil {
		k.floor.Stop()
	}
	k.floor = time.AfterFunc(next, func() { p.wake(k) })
	return wake
}

// leaveWait removes the caller from the waiting exchanges. If the caller was woken meanwhile, leaveWait wakes the next exchange
// in its place.
func (p *polls) leaveWait(k *kind, wake chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(k.waiters, wake); i >= 0 {
		k.waiters = slices.Delete(k.waiters, i, i+1)
		return
	}
	k.wakeOne()
}

// wake lets one exchange of a kind claim again.
func (p *polls) wake(k *kind) {
	p.mu.Lock()
	defer p.mu.Unlock()
	k.wakeOne()
}

func (k *kind) wakeOne() {
	k.woken++
	if len(k.waiters) > 0 {
		close(k.waiters[0])
		k.waiters = slices.Delete(k.waiters, 0, 1)
	}
}

// hear wakes one exchange of each kind that a notification concerns. A nil notification concerns all kinds.
func (p *polls) hear(notification *pgconn.Notification) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if notification != nil && notification.Channel == stepsCancelled {
		p.hearCancellation(notification.Payload)
		return
	}
	for _, k := range p.kinds {
		if notification == nil || slices.Contains(k.namespaces, strings.TrimPrefix(notification.Channel, stepsReady)) {
			k.wakeOne()
		}
	}
}

// close ends all waits and the listener. A repeated call does nothing.
func (p *polls) close() {
	p.mu.Lock()
	if !p.closed {
		p.closed = true
		close(p.closing)
		if p.stop != nil {
			p.stop()
		}
	}
	p.mu.Unlock()
	p.stopped.Wait()
}
