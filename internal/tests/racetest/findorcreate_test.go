package racetest

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

const oneStep = `select name from tasker.register_task_template('{"namespace": "shop", "name": "order", "identity_strategy": "always_unique", "steps": [{"name": "a"}]}')`

// Another session, such as maintenance, deletes the row that a call has found and waits for. The call creates the row
// again.
func TestFindOrCreate_CreatesARowThatIsDeletedWhileItWaits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ call, table string }{
		"throttle": {`select task_uuid::text from tasker.create_task('shop', 'order', p_throttle_limit => 5, p_throttle_seconds => 60)`, "tasker.creation_throttles"},
		"debounce": {`select task_uuid::text from tasker.create_task('shop', 'order', p_identity_key => 'k', p_debounce_seconds => 5)`, "tasker.task_debounces"},
		"schedule": {`select schedule from tasker.set_schedule('shop', 'often', 'order', p_every_seconds => 60)`, "tasker.schedules"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := pgtest.New(t, pgtest.MaxConns(6))
			require.NotEmpty(t, text(t, pool, oneStep))
			require.NotEmpty(t, text(t, pool, c.call), "the row is there")

			other, caller := begin(t, pool), begin(t, pool)
			_, err := other.Exec(t.Context(), "select from "+c.table+" for update")
			require.NoError(t, err)
			answer := async(t, caller, c.call)
			pgtest.WaitBlocked(t, pool, caller.Conn().PgConn().PID())
			_, err = other.Exec(t.Context(), "delete from "+c.table)
			require.NoError(t, err)
			require.NoError(t, other.Commit(t.Context()))

			a := <-answer
			require.NoError(t, a.err)
			require.NotEmpty(t, a.text)
			require.NoError(t, caller.Commit(t.Context()))
			require.Equal(t, "1", text(t, pool, "select count(*)::text from "+c.table))
		})
	}
}

// An insertion met a row that is gone when the call reads it. No lock shows this moment, so a trigger stops the call in
// between.
func TestFindOrCreate_CreatesARowThatIsGoneBeforeItIsRead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ call, table, end string }{
		"event": {
			`select event_uuid::text from tasker.emit_event('shop', 'paid', p_idempotency_key => 'k')`,
			"tasker.broadcasts", "delete from tasker.broadcasts",
		},
		"events": {
			`select event_uuid::text from tasker.emit_events('shop', '{paid}', p_idempotency_keys => '{k}')`,
			"tasker.broadcasts", "delete from tasker.broadcasts",
		},
		"dead letter": {
			`select tasker.create_dlq_entry((select t.task_uuid from tasker.list_tasks() as t), 'manual_dlq', 'odd')::text`,
			"tasker.tasks_dlq", "select tasker.resolve_dlq_entry((select d.dlq_entry_uuid from tasker.tasks_dlq as d), 'cancelled')",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := pgtest.New(t, pgtest.MaxConns(6))
			require.NotEmpty(t, text(t, pool, oneStep))
			require.NotEmpty(t, text(t, pool, `select c.task_uuid::text from tasker.create_task('shop', 'order') as c`))
			first := text(t, pool, c.call)
			_, err := pool.Exec(t.Context(), `
				create function public.stop() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(7); return null; end; $$;
				grant execute on function public.stop() to public;
				create trigger stop after insert on `+c.table+` for each statement execute function public.stop();`)
			require.NoError(t, err)

			other, caller := begin(t, pool), begin(t, pool)
			_, err = other.Exec(t.Context(), "select pg_advisory_xact_lock(7)")
			require.NoError(t, err)
			answer := async(t, caller, c.call)
			pgtest.WaitBlocked(t, pool, caller.Conn().PgConn().PID())
			_, err = other.Exec(t.Context(), c.end)
			require.NoError(t, err)
			require.NoError(t, other.Commit(t.Context()))

			a := <-answer
			require.NoError(t, a.err)
			require.NotEmpty(t, a.text)
			require.NotEqual(t, first, a.text)
		})
	}
}

type outcome struct {
	text string
	err  error
}

// async runs a query of one text in a transaction that waits for another transaction.
func async(t *testing.T, tx pgx.Tx, query string) <-chan outcome {
	t.Helper()
	answer := make(chan outcome, 1)
	go func() {
		var o outcome
		var s *string
		o.err = tx.QueryRow(t.Context(), query).Scan(&s)
		if s != nil {
			o.text = *s
		}
		answer <- o
	}()
	return answer
}

// text returns the text that a query selects, or "" if it is null.
func text(t *testing.T, pool *pgxpool.Pool, query string) string {
	t.Helper()
	var s *string
	require.NoError(t, pool.QueryRow(t.Context(), query).Scan(&s))
	if s == nil {
		return ""
	}
	return *s
}
