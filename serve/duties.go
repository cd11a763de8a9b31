package serve

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
)

const (
	// firstDuties is the time from a server's start to its first question for periodic duties. dutiesEvery is the pause between two
	// questions.
	firstDuties = 3 * time.Second
	dutiesEvery = 15 * time.Second
	// maxDuties bounds one turn, so that other servers and workers get their turns.
	maxDuties = 50
)

// duties does the periodic duties of the database, and takes turns with all workers and other servers. A system whose workers only use HTTP
// has no other process for these duties. A request that writes begins a turn, and no goroutine does, so that an idle server needs none.
type duties struct {
	next    atomic.Int64 // when the next turn may begin, in nanoseconds since 1970
	ctx     context.Context
	stop    context.CancelFunc
	mutex   sync.Mutex
	closed  bool
	running sync.WaitGroup
	// complained says whether the log already has the trouble of the preceding turn. Two turns never run at the same time.
	complained bool
}

func newDuties() *duties {
	d := &duties{}
	d.ctx, d.stop = context.WithCancel(context.Background())
	d.next.Store(time.Now().Add(firstDuties).UnixNano())
	return d
}

// close ends the running turn. A repeated call does nothing.
func (d *duties) close() {
	d.mutex.Lock()
	d.closed = true
	d.mutex.Unlock()
	d.stop()
	d.running.Wait()
}

// doDuties begins a turn if the next turn is due.
func (s *Server) doDuties() {
	d := s.duties
	now := time.Now()
	due := d.next.Load()
	if s.config.NoMaintenance || s.config.ReadOnly || now.UnixNano() < due || !d.next.CompareAndSwap(due, now.Add(24*time.Hour).UnixNano()) {
		return
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.closed {
		return
	}
	d.running.Go(func() {
		err := s.doDueDuties(d.ctx)
		if err != nil && !d.complained && d.ctx.Err() == nil {
			s.config.Logger.WarnContext(d.ctx, "periodic duties failed; trying again", "error", err)
		}
		d.complained = err != nil
		d.next.Store(time.Now().Add(dutiesEvery - dutiesEvery/10 + rand.N(dutiesEvery/5)).UnixNano())
	})
}

// doDueDuties does one duty after the other until none is due, with the server's own rights.
func (s *Server) doDueDuties(ctx context.Context) error {
	for range maxDuties {
		var done []gen.MaintenanceDuty
		err := s.asServer(ctx, s.pool, true, func(ctx context.Context, tx pgx.Tx) (err error) {
			done, err = direct.New(tx).DoDuties(ctx)
			return err
		})
		if err != nil || len(done) == 0 {
			return err
		}
		for _, duty := range done {
			if duty.LastError != nil {
				s.config.Logger.WarnContext(ctx, "a periodic duty failed", "duty", duty.Duty, "error", *duty.LastError)
			}
		}
	}
	return nil
}
