package worker

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgerr"
)

var errReset = errors.New("connection reset by peer")

// cut has every exchange fail with an error while it is set.
type cut struct{ err atomic.Pointer[error] }

func (c *cut) set(err error) { c.err.Store(&err) }

func (c *cut) before(direct.Exchange) error {
	if err := c.err.Load(); err != nil {
		return *err
	}
	return nil
}

// gated is a handler that returns when the gate is closed.
func gated(gate <-chan struct{}) Handler[nothing, nothing] {
	return func(context.Context, *Job[nothing]) (nothing, error) {
		<-gate
		return nothing{}, nil
	}
}

// TestOwed_ResultsGoBeforeClaims cuts the network while handlers end. When it is back, no claim comes before the results.
func TestOwed_ResultsGoBeforeClaims(t *testing.T) {
	t.Parallel()
	d := newDesk(10)
	var c cut
	var order []string
	d.before = func(exchange direct.Exchange) error {
		if err := c.before(exchange); err != nil {
			return err
		}
		switch {
		case len(exchange.Results) > 0:
			order = append(order, "results")
		case exchange.Limit > 0:
			order = append(order, "claim")
		}
		return nil
	}
	gate := make(chan struct{})
	require.NoError(t, at(t, d, Config{Concurrency: 10, PollInterval: time.Second}, func(w *Worker) {
		gate = make(chan struct{})
		Handle(w, "work", func(ctx context.Context, job *Job[nothing]) (nothing, error) { return gated(gate)(ctx, job) })
	}, func(w *Worker) {
		time.Sleep(time.Second)
		c.set(errReset)
		time.Sleep(3 * time.Second) // a claim fails, too
		close(gate)
		time.Sleep(20 * time.Second)
		d.change(func() { order = nil })
		c.set(nil)
		time.Sleep(maxRetry * 2)
		d.change(func() { require.Equal(t, "results", order[0], "%v", order) })
		require.EqualValues(t, 10, w.Stats().Completed)
	}))
}

// TestOwed_WhatAPersonMendsIsKept has the database refuse everything for ten seconds as a login without its rights meets it.
func TestOwed_WhatAPersonMendsIsKept(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]*pgconn.PgError{
		"right": {Code: "42501", Message: "permission denied"}, "binding": {Code: "TK403", Message: "may not work in namespace"},
		"isolation": {Code: "TK409", Message: "this function does not run in a transaction of isolation level serializable"},
		"migration": {Code: "42883", Message: "function does not exist"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(5)
			var c cut
			d.before = c.before
			log := &bytes.Buffer{}
			var gate chan struct{}
			require.NoError(t, at(t, d, Config{Logger: slog.New(slog.NewTextHandler(log, nil)), PollInterval: time.Second}, func(w *Worker) {
				gate = make(chan struct{})
				Handle(w, "work", func(ctx context.Context, job *Job[nothing]) (nothing, error) { return gated(gate)(ctx, job) })
			}, func(w *Worker) {
				time.Sleep(time.Second)
				c.set(err)
				close(gate)
				time.Sleep(10 * time.Second)
				require.Zero(t, w.Stats().Completed)
				c.set(nil)
				time.Sleep(2 * mendEvery)
				require.EqualValues(t, 5, w.Stats().Completed)
				require.Zero(t, w.Stats().Refused+w.Stats().Failed)
			}))
			for _, result := range d.results {
				require.Empty(t, result.Error)
			}
			require.Contains(t, log.String(), "recording results is refused until the set-up is mended")
			require.Contains(t, log.String(), pgerr.Mend(err))
			require.Less(t, strings.Count(log.String(), "\n"), 10, log.String())
		})
	}
}

// TestOwed_OneRefusedResultDelaysNoClaim refuses one of ten results, for good or until a person has mended a binding.
func TestOwed_OneRefusedResultDelaysNoClaim(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"22021", "TK403"} {
		d := newDesk(10)
		poison := d.ready[4]
		d.before = func(exchange direct.Exchange) error {
			for _, result := range exchange.Results {
				if result.StepUUID == poison && result.Error == "" {
					return &pgconn.PgError{Code: code, Message: "no"}
				}
			}
			return nil
		}
		err := at(t, d, Config{Concurrency: 10}, work(finish), func(w *Worker) {
			time.Sleep(50 * time.Millisecond)
			d.change(func() { d.ready = []uuid.UUID{uuid.New()} })
			time.Sleep(defaultPollOnly + time.Second/10) // the poll
			require.GreaterOrEqual(t, w.Stats().Completed, int64(10), code)
		})
		if code == "TK403" {
			require.ErrorContains(t, err, "1 results could not be recorded")
		} else {
			require.NoError(t, err)
			require.Contains(t, d.results[poison].Error, "no")
		}
	}
}

// TestOwed_ACallCarriesSomeMiB has eleven large results wait for the same call.
func TestOwed_ACallCarriesSomeMiB(t *testing.T) {
	t.Parallel()
	d := newDesk(11)
	large := strings.Repeat("x", 3<<20)
	var most int
	d.before = func(exchange direct.Exchange) error {
		bytes := 0
		for _, result := range exchange.Results {
			bytes += len(result.Results)
		}
		most = max(most, bytes)
		return nil
	}
	var gate chan struct{}
	require.NoError(t, at(t, d, Config{Concurrency: 20, Exchanges: 1}, func(w *Worker) {
		gate = make(chan struct{})
		Handle(w, "work", func(context.Context, *Job[nothing]) (string, error) { <-gate; return large, nil })
	}, func(w *Worker) {
		time.Sleep(time.Second)
		close(gate)
		time.Sleep(time.Second)
		require.EqualValues(t, 11, w.Stats().Completed)
	}))
	require.LessOrEqual(t, most, maxCall)
	require.Greater(t, most, maxCall/2)
}

// TestOwed_AClientThatOwesMuchClaimsNothing has a worker owe more than it may under a right that was taken away, while claims work.
func TestOwed_AClientThatOwesMuchClaimsNothing(t *testing.T) {
	t.Parallel()
	d := newDesk(100)
	large := strings.Repeat("x", 64<<10)
	closed := true
	d.before = func(exchange direct.Exchange) error {
		if closed && len(exchange.Results) > 0 {
			return &pgconn.PgError{Code: "TK403"}
		}
		return nil
	}
	require.NoError(t, at(t, d, Config{Concurrency: 1, Exchanges: 1, owesMost: 1 << 20}, func(w *Worker) {
		Handle(w, "work", func(context.Context, *Job[nothing]) (string, error) { return large, nil })
	}, func(w *Worker) {
		time.Sleep(time.Minute)
		require.InDelta(t, (1<<20)/(64<<10), w.Stats().Claimed, 6)
		require.Zero(t, w.Stats().Completed)
		d.change(func() { closed = false })
		time.Sleep(time.Minute)
		require.EqualValues(t, 100, w.Stats().Completed)
	}))
}

func TestOwed_AResultThatIsTooLargeIsNotSent(t *testing.T) {
	t.Parallel()
	d := newDesk(1)
	step := d.ready[0]
	require.NoError(t, at(t, d, Config{}, func(w *Worker) {
		Handle(w, "work", func(context.Context, *Job[nothing]) (string, error) { return strings.Repeat("x", maxResult), nil })
	}, func(*Worker) { time.Sleep(time.Second) }))
	require.Contains(t, d.results[step].Error, `is over the setting "result_bytes"`)
	require.True(t, d.results[step].Permanent)
	require.Empty(t, d.results[step].Results)
}

// TestOwed_ALargeResultIsWarnedOf has results a little above and a little below half of the setting result_bytes. Each is
// counted, and the log has one line for the handler.
func TestOwed_ALargeResultIsWarnedOf(t *testing.T) {
	t.Parallel()
	for size, lines := range map[int]int{498: 0, 499: 1} { // and two quotation marks
		d := newDesk(3)
		d.resultBytes = "1000"
		log := &bytes.Buffer{}
		require.NoError(t, at(t, d, Config{Logger: slog.New(slog.NewTextHandler(log, nil))}, func(w *Worker) {
			Handle(w, "work", func(context.Context, *Job[nothing]) (string, error) {
				time.Sleep(time.Second) // The worker has registered.
				return strings.Repeat("x", size), nil
			})
		}, func(w *Worker) {
			time.Sleep(10 * time.Second)
			require.EqualValues(t, 3*lines, w.Stats().Large)
		}))
		require.Equal(t, lines, strings.Count(log.String(), "a result is large; keep it elsewhere"), "%d bytes", size)
		require.Equal(t, lines, strings.Count(log.String(), "most=1000"))
	}
}

func TestTooLarge_NamesTheTrueReason(t *testing.T) {
	t.Parallel()
	require.Contains(t, tooLarge([]byte(strings.Repeat("[", 1500)+strings.Repeat("]", 1500))), "nested deeper than 1000 levels")
	require.Contains(t, tooLarge([]byte(`"`+strings.Repeat("[", 1500)+`"`)), `over the setting "result_bytes"`)
}

// TestOwed_ThePauseEndsWithAnyCallThatWorks has the heartbeat be the first call that works after an outage.
func TestOwed_ThePauseEndsWithAnyCallThatWorks(t *testing.T) {
	t.Parallel()
	d := newDesk(1)
	var c cut
	d.before = c.before
	var gate chan struct{}
	require.NoError(t, at(t, d, Config{}, func(w *Worker) {
		gate = make(chan struct{})
		Handle(w, "work", func(ctx context.Context, job *Job[nothing]) (nothing, error) { return gated(gate)(ctx, job) })
	}, func(w *Worker) {
		time.Sleep(time.Second)
		c.set(errReset)
		close(gate)
		time.Sleep(10 * time.Second)
		c.set(nil)
		d.run.watch.Worked("heartbeat")
		time.Sleep(10 * time.Millisecond)
		synctest.Wait()
		require.EqualValues(t, 1, w.Stats().Completed)
	}))
}

// TestLeases_AHandlerEndsWhenItsLeaseHasEnded has the database say nothing: the worker concludes that the lease has ended. A result
// that the handler returns all the same is recorded, for nothing has judged it.
func TestLeases_AHandlerEndsWhenItsLeaseHasEnded(t *testing.T) {
	t.Parallel()
	d := newDesk(1)
	step := d.ready[0]
	silent := atomic.Bool{}
	d.extend = func(ctx context.Context, _ []direct.StepClaim) error {
		if !silent.Load() {
			return nil
		}
		return context.DeadlineExceeded
	}
	var cause error
	var ended time.Duration
	log := &bytes.Buffer{}
	require.NoError(t, at(t, d, Config{Lease: 8 * time.Second, Logger: slog.New(slog.NewTextHandler(log, nil))}, func(w *Worker) {
		Handle(w, "work", func(ctx context.Context, _ *Job[nothing]) (nothing, error) {
			time.Sleep(20 * time.Second)
			require.NoError(t, ctx.Err(), "renewals work")
			silent.Store(true)
			begun := time.Now()
			<-ctx.Done()
			cause, ended = context.Cause(ctx), time.Since(begun)
			return nothing{}, nil
		})
	}, func(*Worker) { time.Sleep(time.Minute) }))
	require.ErrorIs(t, cause, ErrLost)
	require.InDelta(t, 8, ended.Seconds(), 2)
	require.Contains(t, log.String(), "leases are late: half of one has passed")
	require.Contains(t, log.String(), "a lease has ended without a renewal")
	require.Contains(t, d.results, step)
}

// TestLeases_CountOnlyTimeInWhichTheServerWasReachable refuses renewals as a server that starts does, for longer than a lease.
func TestLeases_CountOnlyTimeInWhichTheServerWasReachable(t *testing.T) {
	t.Parallel()
	d := newDesk(1)
	away := atomic.Bool{}
	d.extend = func(context.Context, []direct.StepClaim) error {
		if away.Load() {
			return &pgconn.PgError{Code: "57P03", Message: "the database system is starting up"}
		}
		return nil
	}
	require.NoError(t, at(t, d, Config{Lease: 4 * time.Second}, work(func(ctx context.Context, _ *Job[nothing]) (nothing, error) {
		away.Store(true)
		time.Sleep(20 * time.Second)
		away.Store(false)
		time.Sleep(20 * time.Second)
		return nothing{}, ctx.Err()
	}), func(w *Worker) {
		time.Sleep(time.Minute)
		require.EqualValues(t, 1, w.Stats().Completed)
	}))
}

// TestLeases_AreRenewedUntilTheResultIsJudged keeps a result waiting for longer than the lease.
func TestLeases_AreRenewedUntilTheResultIsJudged(t *testing.T) {
	t.Parallel()
	d := newDesk(1)
	var c cut
	d.before = c.before
	renewals := 0
	d.extend = func(context.Context, []direct.StepClaim) error { renewals++; return nil }
	require.NoError(t, at(t, d, Config{Lease: 4 * time.Second}, work(func(context.Context, *Job[nothing]) (nothing, error) {
		c.set(context.DeadlineExceeded)
		return nothing{}, nil
	}), func(w *Worker) {
		time.Sleep(20 * time.Second)
		d.change(func() { require.GreaterOrEqual(t, renewals, 15) })
		c.set(nil)
		time.Sleep(2 * maxRetry)
		require.EqualValues(t, 1, w.Stats().Completed)
		d.change(func() { renewals = 0 })
		time.Sleep(20 * time.Second)
		d.change(func() { require.Zero(t, renewals, "nothing is owed") })
	}))
}

// TestLeases_OneStepThatIsRefusedDoesNotCostTheOthers refuses a renewal that names one of twenty steps.
func TestLeases_OneStepThatIsRefusedDoesNotCostTheOthers(t *testing.T) {
	t.Parallel()
	d := newDesk(20)
	closed := d.ready[7]
	d.extend = func(_ context.Context, claims []direct.StepClaim) error {
		for _, claim := range claims {
			if claim.StepUUID == closed {
				return &pgconn.PgError{Code: "TK403"}
			}
		}
		return nil
	}
	var lost atomic.Int64
	require.NoError(t, at(t, d, Config{Lease: 4 * time.Second}, work(func(ctx context.Context, _ *Job[nothing]) (nothing, error) {
		time.Sleep(30 * time.Second)
		if ctx.Err() != nil {
			lost.Add(1)
		}
		return nothing{}, nil
	}), func(*Worker) { time.Sleep(time.Minute) }))
	require.EqualValues(t, 1, lost.Load())
}

// TestLeases_ACallNamesAStepOnce hands steps out again whose handlers still run: the worker has two claims of each. Both are answered,
// although no call names a step twice: the first claims are stale, and the second ones are renewed.
func TestLeases_ACallNamesAStepOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(3)
	steps := slices.Clone(d.ready)
	var lost, ran atomic.Int64
	require.NoError(t, at(t, d, Config{Lease: 4 * time.Second}, work(func(ctx context.Context, _ *Job[nothing]) (nothing, error) {
		select {
		case <-ctx.Done():
			require.ErrorIs(t, context.Cause(ctx), ErrLost)
			require.NotErrorIs(t, context.Cause(ctx), errLeaseEnded, "the database has said it")
			lost.Add(1)
		case <-time.After(40 * time.Second):
			ran.Add(1)
		}
		return nothing{}, ctx.Err()
	}), func(*Worker) {
		time.Sleep(100 * time.Millisecond)
		d.change(func() { d.ready = slices.Clone(steps) })
		time.Sleep(20 * time.Second)
		d.change(func() {
			for _, step := range steps {
				d.leases[direct.StepClaim{StepUUID: step, ClaimNo: 1}] = gen.LeaseAnswerStale
			}
		})
		time.Sleep(time.Minute)
	}))
	require.EqualValues(t, 3, lost.Load())
	require.EqualValues(t, 3, ran.Load())
	require.Zero(t, d.twice)
}

// TestOwed_ACallNamesAStepOnce has results owed of two claims of a step: each call carries one of them.
func TestOwed_ACallNamesAStepOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(3)
	steps := slices.Clone(d.ready)
	var gate chan struct{}
	require.NoError(t, at(t, d, Config{Lease: time.Minute}, func(w *Worker) {
		gate = make(chan struct{}) // in the bubble
		work(gated(gate))(w)
	}, func(w *Worker) {
		time.Sleep(100 * time.Millisecond)
		d.change(func() { d.ready = slices.Clone(steps) })
		time.Sleep(10 * time.Second)
		require.EqualValues(t, 6, w.Stats().Running)
		close(gate)
		time.Sleep(10 * time.Second)
		require.Zero(t, w.Stats().Running)
	}))
	require.Len(t, d.results, 3)
	require.Zero(t, d.twice)
}

// TestClaimsOfACall_NameAStepOnce parts 2,500 claims, of which 500 are second ones of a step: of renewals, and of what a worker hands back.
func TestClaimsOfACall_NameAStepOnce(t *testing.T) {
	t.Parallel()
	var claims []direct.StepClaim
	for i := range 2000 {
		claim := direct.StepClaim{StepUUID: uuid.New(), ClaimNo: 1}
		claims = append(claims, claim)
		if claim.ClaimNo++; i%4 == 0 {
			claims = append(claims, claim)
		}
	}
	sent := map[direct.StepClaim]bool{}
	for rest := claims; len(rest) > 0; {
		var call []direct.StepClaim
		call, rest = claimsOfACall(rest)
		require.NotEmpty(t, call)
		require.LessOrEqual(t, len(call), maxBatch)
		require.NoError(t, newDesk(0).differ(call))
		for _, claim := range call {
			sent[claim] = true
		}
	}
	require.Len(t, sent, len(claims))
}

// TestStop_IsBoundedWhateverTheDatabaseDoes stops workers while every call fails at once, or hangs until its bound.
func TestStop_IsBoundedWhateverTheDatabaseDoes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		steps  int
		hangs  bool
		within time.Duration
		lost   string
	}{
		{"idle, refused", 0, false, 100 * time.Millisecond, ""},
		{"idle, silent", 0, true, idleWithin + time.Second, ""},
		{"owing, refused", 3, false, deliverWithin + time.Second, "3 results could not be recorded"},
		{"owing, silent", 3, true, deliverWithin + time.Second, "3 results could not be recorded"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(test.steps)
			var gate chan struct{}
			var away atomic.Bool
			silence := func(ctx context.Context) (line, error) {
				if !away.Load() {
					return d.open(ctx)
				}
				if test.hangs {
					<-ctx.Done()
					return nil, ctx.Err()
				}
				return nil, errReset
			}
			var took time.Duration
			synctest.Test(t, func(t *testing.T) {
				w := bench(t, Config{StopTimeout: 3 * time.Second, PollInterval: time.Second})
				gate = make(chan struct{})
				Handle(w, "work", gated(gate))
				entries, err := w.start()
				require.NoError(t, err)
				ctx, cancel := context.WithCancel(t.Context())
				d.run = makeRun(ctx, w, entries, d, silence)
				done := make(chan error, 1)
				go func() { done <- d.run.run(ctx) }()
				time.Sleep(2 * time.Second)
				away.Store(true)
				time.Sleep(2 * keepLine)
				close(gate)
				time.Sleep(time.Minute)
				at := time.Now()
				cancel()
				err = <-done
				took = time.Since(at)
				if test.lost == "" {
					require.NoError(t, err)
				} else {
					require.ErrorContains(t, err, test.lost)
				}
			})
			require.LessOrEqual(t, took, test.within)
		})
	}
}

// TestLog_AnOutageOfAnHourIsALineAMinute counts the lines of an hour in which nothing answers.
func TestLog_AnOutageOfAnHourIsALineAMinute(t *testing.T) {
	t.Parallel()
	d := newDesk(3)
	var c cut
	d.before = c.before
	d.extend = func(context.Context, []direct.StepClaim) error { return c.before(direct.Exchange{}) }
	log := &bytes.Buffer{}
	require.NoError(t, at(t, d, Config{Logger: slog.New(slog.NewTextHandler(log, nil))}, work(func(context.Context, *Job[nothing]) (nothing, error) {
		c.set(errReset)
		return nothing{}, nil
	}), func(*Worker) {
		time.Sleep(time.Hour)
		c.set(nil)
		time.Sleep(time.Minute)
	}))
	require.Less(t, strings.Count(log.String(), "\n"), 150, "heartbeats work, so that each minute an outage ends and begins")
	require.Contains(t, log.String(), "the database does not answer")
	require.Contains(t, log.String(), "the database answers again")
}
