package racetest

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
)

// against are the events that race with a transaction that writes a booking and records the result of its step.
var against = map[string]func(ctx context.Context, s *scene, e *direct.Executor) (string, error){
	"cancel":    actions["cancel"],
	"lease end": actions["lease end"],
	"reset": func(ctx context.Context, s *scene, e *direct.Executor) (string, error) {
		return said(e.ResetTask(ctx, s.task, "", ""))
	},
	"resolve": func(ctx context.Context, s *scene, e *direct.Executor) (string, error) {
		return said(e.ResolveStepManually(ctx, s.lost, "", ""))
	},
	"fail":            actions["fail"],
	"the same result": actions["complete in a transaction"],
}

// keeps has the events of the map against after which a booking still commits.
var keeps = map[string]bool{"reset": true}

// TestBookings_AreThereForARecordedResultOnly has a transaction book and record its result while another transaction is open,
// in either order.
func TestBookings_AreThereForARecordedResultOnly(t *testing.T) {
	t.Parallel()
	pool := newPool(t)
	_, err := pool.Exec(t.Context(), "create table public.bookings (step uuid not null)")
	require.NoError(t, err)
	for _, name := range sorted(against) {
		for _, c := range []struct {
			order        string
			bookingFirst bool
			otherCommits bool
		}{
			{"the booking comes first", true, true},
			{"the booking comes second", false, true},
			{"the booking comes second, and the other rolls back", false, false},
		} {
			t.Run(name+", "+c.order, func(t *testing.T) {
				s := newScene(t, pool, "plain")
				begin := func() pgx.Tx {
					tx, err := pool.Begin(t.Context())
					require.NoError(t, err)
					t.Cleanup(func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) })
					return tx
				}
				booking, other := begin(), begin()
				_, err := booking.Exec(t.Context(), "insert into public.bookings values ($1)", s.lost)
				require.NoError(t, err)
				// book ends its transaction as a worker does.
				book := func() error {
					if _, err := direct.New(booking).CompleteStep(t.Context(), s.claim.StepUUID, s.claim.ClaimNo, nil); err != nil {
						require.NoError(t, booking.Rollback(t.Context()))
						return err
					}
					return booking.Commit(t.Context())
				}
				act := func(tx pgx.Tx) error {
					_, err := against[name](t.Context(), s, direct.New(tx))
					return err
				}
				recorded := true
				if c.bookingFirst {
					_, err := direct.New(booking).CompleteStep(t.Context(), s.claim.StepUUID, s.claim.ClaimNo, nil)
					require.NoError(t, err)
					acted := make(chan error, 1)
					go func() { acted <- act(other) }()
					if name == "lease end" { // a claim skips rows that another transaction holds
						require.NoError(t, <-acted)
						require.NoError(t, booking.Commit(t.Context()))
					} else {
						pgtest.WaitBlocked(t, pool, other.Conn().PgConn().PID())
						require.NoError(t, booking.Commit(t.Context()))
						<-acted // The call may be refused, since the step is complete.
					}
					if other.Commit(t.Context()) != nil {
						_ = other.Rollback(t.Context())
					}
				} else {
					require.NoError(t, act(other))
					booked := make(chan error, 1)
					go func() { booked <- book() }()
					pgtest.WaitBlocked(t, pool, booking.Conn().PgConn().PID())
					recorded = !c.otherCommits || keeps[name]
					if c.otherCommits {
						require.NoError(t, other.Commit(t.Context()))
					} else {
						require.NoError(t, other.Rollback(t.Context()))
					}
					if err := <-booked; recorded {
						require.NoError(t, err)
					} else {
						require.ErrorIs(t, err, executor.ErrConflict)
					}
				}
				var bookings int
				require.NoError(t, pool.QueryRow(t.Context(), "select count(*) from public.bookings where step = $1", s.lost).Scan(&bookings))
				steps, err := direct.New(pool).ListSteps(t.Context(), s.task)
				require.NoError(t, err)
				if recorded {
					require.Equal(t, 1, bookings)
					require.Equal(t, state.StepComplete, steps[0].State)
				} else {
					require.Zero(t, bookings)
				}
				s.requireSound()
			})
		}
	}
}

// The server finishes a commit only after the worker has lost its connection. The worker then queries the outcome of the commit, and the
// query waits for the commit.
func TestBookings_AQuestionWaitsForACommitThatIsUnderWay(t *testing.T) {
	t.Parallel()
	pool := newPool(t)
	for _, commits := range []bool{true, false} {
		s := newScene(t, pool, "plain")
		booking, err := pool.Begin(t.Context())
		require.NoError(t, err)
		_, err = direct.New(booking).CompleteStep(t.Context(), s.claim.StepUUID, s.claim.ClaimNo, nil)
		require.NoError(t, err)
		question, err := pool.Begin(t.Context())
		require.NoError(t, err)
		answered := make(chan string, 1)
		go func() {
			answers, err := direct.New(question).CompleteSteps(t.Context(), []direct.StepResult{{StepClaim: s.claim}})
			if err != nil {
				answered <- err.Error()
				return
			}
			answered <- string(answers[0].Answer)
		}()
		pgtest.WaitBlocked(t, pool, question.Conn().PgConn().PID())
		want := "completed" // after a rollback: the handler runs again
		if commits {
			want = "already_complete"
			require.NoError(t, booking.Commit(t.Context()))
		} else {
			require.NoError(t, booking.Rollback(t.Context()))
		}
		select {
		case answer := <-answered:
			require.Equal(t, want, answer)
		case <-time.After(time.Minute):
			require.Fail(t, "no answer")
		}
		require.NoError(t, question.Rollback(t.Context()))
		s.requireSound()
	}
}
