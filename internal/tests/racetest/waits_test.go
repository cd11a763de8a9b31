package racetest

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// A transaction that stays open keeps other sessions waiting for some seconds. Then they get an error that names the session.
func TestWaits_EndAndNameWhoIsInTheWay(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(8))
	ctx := t.Context()
	_, err := pool.Exec(ctx, `select tasker.register_task_template('{"namespace": "test", "name": "one", "steps": [{"name": "a"}]}')`)
	require.NoError(t, err)
	var task, step uuid.UUID
	require.NoError(t, pool.QueryRow(ctx, `select c.task_uuid, tasker.step_uuid(c.task_uuid, 1) from tasker.create_task('test', 'one', '{}') as c`).Scan(&task, &step))

	holder, err := pool.Begin(ctx)
	require.NoError(t, err)
	t.Cleanup(func() { _ = holder.Rollback(context.WithoutCancel(ctx)) }) // after the calls, which run in parallel
	_, err = holder.Exec(ctx, `select tasker.add_steps($1, '[{"name": "more", "handler": "a"}]')`, task)
	require.NoError(t, err)

	calls := map[string]string{
		"cancel":     fmt.Sprintf("select tasker.cancel_task('%s')", task),
		"reset":      fmt.Sprintf("select tasker.reset_task('%s')", task),
		"add":        fmt.Sprintf(`select tasker.add_steps('%s', '[{"name": "b"}]')`, task),
		"transition": fmt.Sprintf("select tasker.transition_task_state_atomic('%s', 'steps_in_process', 'cancelled')", task),
		"backoff":    fmt.Sprintf("select tasker.set_step_backoff_atomic('%s', 1)", step),
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := pool.Exec(t.Context(), call)
			var refused *pgconn.PgError
			require.ErrorAs(t, err, &refused)
			require.Equal(t, "TK409", refused.Code, refused.Message)
			require.Equal(t, fmt.Sprintf("another session holds task %s", task), refused.Message)
			require.Contains(t, refused.Detail, fmt.Sprintf("Process %d of role", holder.Conn().PgConn().PID()))
		})
	}
}

// Any role that can connect may take an advisory lock. The turns of maintenance are rows, which only their owner can lock.
func TestTurns_CannotBeTakenByStrangers(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(4))
	ctx := t.Context()
	stranger, err := pool.Acquire(ctx)
	require.NoError(t, err)
	defer stranger.Release()
	_, err = stranger.Exec(ctx, `select pg_advisory_lock(hashtextextended(k, 0))
		from unnest('{tasker.maintenance,tasker.partitions,tasker.worker_namespaces,tasker.role_bindings}'::text[]) as k`)
	require.NoError(t, err)

	var ran int
	require.NoError(t, pool.QueryRow(ctx, `select count(*) from tasker.run_maintenance('partitions')`).Scan(&ran))
	require.Equal(t, 1, ran, "maintenance has its turn")
	_, err = pool.Exec(ctx, `select tasker.register_namespace('shop'); select tasker.bind_role('tasker_reader', '{}'); select tasker.setup_partitioning(p_premake => 4)`)
	require.NoError(t, err)

	_, err = stranger.Exec(ctx, `select pg_advisory_unlock_all(); set role tasker_operator`)
	require.NoError(t, err)
	_, err = stranger.Exec(ctx, `select from tasker.turns for update`)
	var refused *pgconn.PgError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, "42501", refused.Code, "only the owner may lock the rows")
	_, err = stranger.Exec(ctx, `reset role`)
	require.NoError(t, err)
}

func TestTurns_NameWhoHasThem(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(4))
	ctx := t.Context()
	holder, err := pool.Begin(ctx)
	require.NoError(t, err)
	defer func() { _ = holder.Rollback(context.WithoutCancel(ctx)) }()
	_, err = holder.Exec(ctx, `select tasker.bind_role('tasker_reader', '{}')`)
	require.NoError(t, err)

	_, err = pool.Exec(ctx, `select tasker.bind_role('tasker_reader', '{}')`)
	var refused *pgconn.PgError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, "TK409", refused.Code)
	require.Contains(t, refused.Detail, fmt.Sprintf("Process %d of role", holder.Conn().PgConn().PID()))
}
