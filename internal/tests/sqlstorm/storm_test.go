// Package sqlstorm has SQL steps move money while the processes that drive them are killed, sessions are terminated, the server
// crashes and operators cancel and retry.
package sqlstorm

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/sqlsteps"
	"github.com/pgtasker/pgtasker/internal/tests/bookingtest"
	"github.com/pgtasker/pgtasker/worker"
)

var kinds = []bookingtest.Kind{sqlSteps, plain}

func TestMain(m *testing.M) {
	if bookingtest.WorkIfAsked(kinds) {
		os.Exit(0)
	}
	pgtest.Main(m)
}

const retry = `"retry": {"max_attempts": 50, "base_seconds": 0.01}`

// sqlSteps book in functions of the database. The steps after the first run under a time-out, so each is alone in its call.
var sqlSteps = bookingtest.Kind{
	Namespace: "sqlbank",
	Template: fmt.Sprintf(`{"namespace": "sqlbank", "name": "booking", "on_failure": "fail", "identity_strategy": "caller_provided", "steps": [
		{"name": "first", "sql": "bank.step", %[1]s},
		{"name": "left", "sql": "bank.step", "timeout_seconds": 20, "dependencies": ["first"], %[1]s},
		{"name": "right", "sql": "bank.step", "dependencies": ["first"], %[1]s},
		{"name": "last", "sql": "bank.step", "dependencies": ["left", "right"], %[1]s}]}`, retry),
	Steps: []string{"first", "left", "right", "last"},
	Prepare: func(ctx context.Context, pool *pgxpool.Pool) error {
		_, err := pool.Exec(ctx, `
			create role bank_steps;
			grant bank_steps to tasker_owner;
			create function bank.step(p_input jsonb) returns jsonb language plpgsql as $$
			declare
			  v_n       integer := p_input #> '{context,n}';
			  v_attempt integer := p_input -> 'attempt';
			  v_id      bigint;
			begin
			  v_id := bank.book(v_n, p_input ->> 'step', (p_input #> '{context,amount}')::bigint);
			  -- As bookingtest.FailsAfterBooking.
			  if v_n % 50 = 7 then
			    raise exception using errcode = 'TK422', message = 'failed for good after it had booked';
			  elsif v_n % 10 = 3 and v_attempt = 1 then
			    raise exception 'failed after it had booked';
			  end if;
			  return to_jsonb(v_id);
			end;
			$$;
			select tasker.register_namespace('sqlbank');
			select tasker.bind_sql_role('sqlbank', 'bank_steps');`)
		return err
	},
	Drive: func(ctx context.Context, pool *pgxpool.Pool) {
		(&sqlsteps.Driver{DB: pool, Logger: slog.New(slog.DiscardHandler)}).Run(ctx, ctx)
	},
}

// plain books outside the transaction of its result, which shows that the check finds errors.
var plain = bookingtest.Kind{
	Namespace: "plain",
	Template: fmt.Sprintf(`{"namespace": "plain", "name": "booking", "on_failure": "fail", "identity_strategy": "caller_provided", "steps": [
		{"name": "only", "handler": "plain", %s}]}`, retry),
	Steps: []string{"only"},
	Handle: func(w *worker.Worker, pool *pgxpool.Pool) {
		worker.Handle(w, "plain", func(ctx context.Context, job *worker.Job[bookingtest.Booking]) (int, error) {
			var id int
			err := executor.DBTX(pool).QueryRow(ctx, "select bank.book($1, $2, $3)", job.Input.N, job.Name, job.Input.Amount).Scan(&id)
			if err != nil {
				return 0, err
			}
			return id, bookingtest.FailsAfterBooking(job.Input.N, job.Attempt)
		})
	},
}

// PGTASKER_STORM_TASKS and PGTASKER_STORM_KILLS make it longer.
func TestStorm_EachCompletedSQLStepHasBookedOnce(t *testing.T) {
	t.Parallel()
	pool, server := pgtest.NewPrivate(t, pgtest.MaxConns(12))
	storm := bookingtest.Storm{Tasks: pgtest.Number("PGTASKER_STORM_TASKS", 60), Kills: pgtest.Number("PGTASKER_STORM_KILLS", 10), Kinds: kinds}
	found := storm.Run(t, pool, server)
	require.True(t, found["sqlbank"].Sound(), "%+v", found["sqlbank"])
	require.Positive(t, found["sqlbank"].Booked)
	require.False(t, found["plain"].Sound(), "%+v: the check finds what plain handlers do", found["plain"])
}
