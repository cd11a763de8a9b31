package bookingtest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/worker"
)

// kinds are the ways to book.
var kinds = []Kind{plain, transactional}

func TestMain(m *testing.M) {
	if WorkIfAsked(kinds) {
		os.Exit(0)
	}
	pgtest.Main(m)
}

var steps = []string{"first", "left", "right", "last"}

// diamond is a template of four steps that book, in a namespace. A step that fails for good fails its task.
func diamond(namespace string) string {
	const retry = `"retry": {"max_attempts": 50, "base_seconds": 0.01}`
	return fmt.Sprintf(`{"namespace": %[1]q, "name": "booking", "on_failure": "fail", "identity_strategy": "caller_provided", "steps": [
		{"name": "first", "handler": "%[1]s", %[2]s},
		{"name": "left", "handler": "%[1]s", "dependencies": ["first"], %[2]s},
		{"name": "right", "handler": "%[1]s", "dependencies": ["first"], %[2]s},
		{"name": "last", "handler": "%[1]s", "dependencies": ["left", "right"], %[2]s}]}`, namespace, retry)
}

// books books in db, takes a moment, and ends as [FailsAfterBooking] says.
func books(ctx context.Context, db executor.DBTX, job *worker.Job[Booking]) (int, error) {
	var id int
	if err := db.QueryRow(ctx, "select bank.book($1, $2, $3)", job.Input.N, job.Name, job.Input.Amount).Scan(&id); err != nil {
		return 0, err
	}
	pause(ctx, time.Duration(rand.IntN(5))*time.Millisecond)
	return id, FailsAfterBooking(job.Input.N, job.Attempt)
}

// plain books in a transaction of its own, and its result is recorded later.
var plain = Kind{
	Namespace: "plain", Template: diamond("plain"), Steps: steps,
	Handle: func(w *worker.Worker, pool *pgxpool.Pool) {
		worker.Handle(w, "plain", func(ctx context.Context, job *worker.Job[Booking]) (int, error) { return books(ctx, pool, job) })
	},
}

// transactional books in the transaction that records its result.
var transactional = Kind{
	Namespace: "transactional", Template: diamond("transactional"), Steps: steps,
	Handle: func(w *worker.Worker, _ *pgxpool.Pool) {
		worker.HandleTx(w, "transactional", func(ctx context.Context, tx pgx.Tx, job *worker.Job[Booking]) (int, error) {
			return books(ctx, tx, job)
		})
	},
}

// PGTASKER_STORM_TASKS and PGTASKER_STORM_KILLS make it longer.
func TestStorm_EachCompletedStepHasBookedOnce(t *testing.T) {
	t.Parallel()
	pool, server := pgtest.NewPrivate(t, pgtest.MaxConns(12))
	storm := Storm{Tasks: pgtest.Number("PGTASKER_STORM_TASKS", 50), Kills: pgtest.Number("PGTASKER_STORM_KILLS", 5), Kinds: kinds}
	found := storm.Run(t, pool, server)
	require.True(t, found["transactional"].Sound(), "%+v", found["transactional"])
	require.Positive(t, found["transactional"].Booked)
	require.Positive(t, found["plain"].Doubles, "the check finds the doubles of plain handlers")
	if storm.Tasks >= 1000 { // Among a few tasks there may be none.
		require.Positive(t, found["plain"].Strays, "and bookings of steps that are not complete")
	}
	require.False(t, found["plain"].Sound())
}
