package waketest

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/listen"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
)

const (
	sleepers = 8
	creators = 6
	// late is how long a step waits if its wake-up was lost, since sleepers never poll.
	late = 10 * time.Second
)

// storm has clients that sleep again and again while transactions of all lengths create work for them.
type storm struct {
	pool *pgxpool.Pool

	mu        sync.Mutex
	committed map[uuid.UUID]time.Time // steps that no client has claimed yet
	waits     []time.Duration         // from commit to claim
	sleeps    int
}

func TestStorm_NoClientSleepsThroughWork(t *testing.T) {
	t.Parallel()
	length := 5 * time.Second
	if long := os.Getenv("PGTASKER_STORM"); long != "" {
		var err error
		length, err = time.ParseDuration(long)
		require.NoError(t, err)
	}
	s := &storm{pool: newPool(t, pgtest.MaxConns(creators+sleepers+2)), committed: map[uuid.UUID]time.Time{}}
	sleeping, wake := context.WithCancel(t.Context())
	var asleep, creating sync.WaitGroup
	for range sleepers {
		asleep.Go(func() { s.sleep(t, sleeping) })
	}
	creation, enough := context.WithTimeout(t.Context(), length)
	defer enough()
	for i := range creators {
		creating.Go(func() { s.create(t, creation, i) })
	}
	creating.Wait()
	require.Eventually(t, func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return len(s.committed) == 0
	}, 2*late, 10*time.Millisecond, "some work woke no sleeping client")
	wake()
	asleep.Wait()

	slices.Sort(s.waits)
	n := len(s.waits)
	require.NotZero(t, n)
	require.Less(t, s.waits[n-1], late, "no wake-up was lost")
	t.Logf("%d tasks, %d sleeps: commit to claim p50 %s, p99 %s, longest %s",
		n, s.sleeps, s.waits[n/2], s.waits[n*99/100], s.waits[n-1])
	replaytest.Recorded(t, s.pool)
}

// create makes tasks in transactions that stay open for up to 60 ms, some of them above READ COMMITTED.
func (s *storm) create(t *testing.T, ctx context.Context, seed int) {
	r := rand.New(rand.NewPCG(uint64(seed), 7))
	for ctx.Err() == nil {
		options := pgx.TxOptions{}
		if r.IntN(5) == 0 {
			options.IsoLevel = pgx.RepeatableRead
		}
		tx, err := s.pool.BeginTx(t.Context(), options)
		if !noError(t, err) {
			return
		}
		made, err := direct.New(tx).CreateTask(t.Context(), executor.TaskRequest{Namespace: "shop", Name: "job"})
		if !noError(t, err) {
			return
		}
		wait(ctx, time.Duration(r.IntN(60))*time.Millisecond)
		s.mu.Lock()
		s.committed[made.TaskUUID] = time.Now()
		s.mu.Unlock()
		if !noError(t, tx.Commit(t.Context())) {
			return
		}
		s.mu.Lock()
		if _, waits := s.committed[made.TaskUUID]; waits {
			s.committed[made.TaskUUID] = time.Now()
		}
		s.mu.Unlock()
		wait(ctx, time.Duration(r.IntN(40))*time.Millisecond)
	}
}

// sleep is a client that claims whenever it is woken, stays awake for a moment, and sleeps again.
func (s *storm) sleep(t *testing.T, ctx context.Context) {
	var l *listen.Listener
	var awake sync.WaitGroup
	defer awake.Wait()
	l = &listen.Listener{
		Connect: func(ctx context.Context) (*pgx.Conn, error) {
			return pgx.ConnectConfig(ctx, s.pool.Config().ConnConfig)
		},
		Channels: listen.Fixed(channel), PollInterval: time.Hour, Logger: slog.New(slog.DiscardHandler),
		Marks: listen.Channels{Sleeper: uuid.New(), Names: func() []string { return []string{channel} }},
		Hearer: listen.Func(func(*pgconn.Notification) {
			// If it found nothing, it stays asleep every other time.
			if !s.claim(t) && rand.IntN(2) == 0 || ctx.Err() != nil {
				return
			}
			l.Sleep(false)
			awake.Go(func() {
				wait(ctx, rand.N(20*time.Millisecond))
				l.Sleep(true)
				s.mu.Lock()
				s.sleeps++
				s.mu.Unlock()
			})
		}),
	}
	l.Run(ctx)
}

// claim claims ready steps, and returns whether it got a step.
func (s *storm) claim(t *testing.T) bool {
	claimed, err := direct.New(s.pool).ClaimSteps(t.Context(), direct.ClaimRequest{
		WorkerUUID: uuid.New(), Namespaces: []string{"shop"}, Limit: 3, Lease: time.Hour,
	})
	if !noError(t, err) {
		return false
	}
	now := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, step := range claimed {
		if at, waits := s.committed[step.TaskUUID]; waits {
			s.waits = append(s.waits, now.Sub(at))
			delete(s.committed, step.TaskUUID)
		}
	}
	return len(claimed) > 0
}

func noError(t *testing.T, err error) bool {
	if err != nil && t.Context().Err() == nil {
		t.Error(err)
	}
	return err == nil
}

func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
