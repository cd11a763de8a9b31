package worker

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/internal/direct"
)

// keepLine is how long a line stays with the worker after an exchange: longer than notifications take.
const keepLine = 50 * time.Millisecond

// acquireWithin bounds the ping of a connection that was idle.
const acquireWithin = 3 * time.Second

// line is a connection on which the worker makes exchanges.
type line interface {
	ExchangeSteps(ctx context.Context, exchange direct.Exchange) (direct.ExchangeReply, error)
	// PID is the process ID of the connection's server process, which its notifications carry.
	PID() uint32
	// Spare reports whether the pool has enough other connections.
	Spare() bool
	// Release returns the connection to the pool. After an error the connection may be broken.
	Release()
}

// slot is a place for one of the exchanges that may run at the same time, with the line that the exchange uses.
//
// A notification from a line's server process while the slot has it comes from an exchange of the slot, or from
// an earlier user of the connection. In both cases a claim of the slot saw the steps, so only handlers that the
// claim left out remain to be claimed for.
type slot struct {
	worker uuid.UUID
	line   line
	keep   time.Time // the end of the time for which the line is kept
	groups []*group  // the groups for which its newest exchange claims
	told   bool      // whether the database knows of steps of this slot that wait for a handler

	again   *exchangeCall // a claim that got no answer
	probe   bool          // the call of this slot shows whether the database answers again
	calls   context.Context
	abandon context.CancelFunc
}

// ear collects notifications of ready steps until the loop reads them.
type ear struct {
	signal chan struct{}

	mu    sync.Mutex
	lines map[uint32]*slot // by PID
	wake  bool             // another session has notified
	own   []*slot          // whose lines have notified
}

// hear handles a notification. It gets nil if notifications may have been missed.
func (e *ear) hear(n *pgconn.Notification) {
	e.mu.Lock()
	var s *slot
	if n != nil {
		s = e.lines[n.PID]
	}
	switch {
	case s == nil:
		e.wake = true
	case !slices.Contains(e.own, s):
		e.own = append(e.own, s)
	}
	e.mu.Unlock()
	select {
	case e.signal <- struct{}{}:
	default:
	}
}

// heard returns what the ear has collected, and clears it.
func (e *ear) heard() (wake bool, own []*slot) {
	e.mu.Lock()
	defer e.mu.Unlock()
	wake, own = e.wake, e.own
	e.wake, e.own = false, nil
	return wake, own
}

// exchangeOn makes an exchange on the slot's line, and opens a line if the slot has none. After an error the line is given up.
func (r *run) exchangeOn(ctx context.Context, s *slot, exchange direct.Exchange) (direct.ExchangeReply, error) {
	if s.line == nil {
		line, err := r.open(ctx)
		if err != nil {
			return direct.ExchangeReply{}, err
		}
		s.line = line
		r.ear.mu.Lock()
		r.ear.lines[line.PID()] = s
		r.ear.mu.Unlock()
	}
	reply, err := s.line.ExchangeSteps(ctx, exchange)
	if err != nil || !s.line.Spare() {
		r.hangUp(s)
	}
	return reply, err
}

// hangUp returns the slot's line. From now on the notifications of its server process belong to other users of the connection.
func (r *run) hangUp(s *slot) {
	if s.line == nil {
		return
	}
	r.ear.mu.Lock()
	delete(r.ear.lines, s.line.PID())
	r.ear.mu.Unlock()
	s.line.Release()
	s.line = nil
}

// poolLine is a connection of a pool.
type poolLine struct {
	*direct.Executor
	conn *pgxpool.Conn
	pool *pgxpool.Pool
	keep bool
}

// openLine takes a connection of the worker's pool. A worker that does not listen need not keep the line after an exchange. If the
// connection is dead, the exchange is delayed by acquireWithin. If all other connections are in use, too, the worker waits in the pool's
// queue.
func openLine(pool *pgxpool.Pool, keep bool) func(ctx context.Context) (line, error) {
	return func(ctx context.Context) (line, error) {
		acquiring := ctx
		if stat := pool.Stat(); stat.AcquiredConns() < stat.MaxConns() {
			var cancel context.CancelFunc
			acquiring, cancel = context.WithTimeout(ctx, acquireWithin)
			defer cancel()
		}
		conn, err := pool.Acquire(acquiring)
		if err != nil {
			return nil, err
		}
		return &poolLine{Executor: direct.New(conn), conn: conn, pool: pool, keep: keep}, nil
	}
}

func (l *poolLine) PID() uint32 { return l.conn.Conn().PgConn().PID() }

func (l *poolLine) Spare() bool {
	if !l.keep {
		return false
	}
	stat := l.pool.Stat()
	return stat.AcquiredConns() < stat.MaxConns()
}

func (l *poolLine) Release() { l.conn.Release() }
