package executor_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// keyed registers shop/keyed, whose tasks have keys of their requesters, and returns a request with a key and a context.
func keyed(t *testing.T, pool *pgxpool.Pool) func(key string, n int) executor.TaskRequest {
	t.Helper()
	_, err := executor.New(pool).RegisterTaskTemplate(t.Context(), json.RawMessage(
		`{"namespace": "shop", "name": "keyed", "identity_strategy": "caller_provided", "steps": [{"name": "only"}]}`))
	require.NoError(t, err)
	return func(key string, n int) executor.TaskRequest {
		return executor.TaskRequest{
			Namespace: "shop", Name: "keyed", IdentityKey: key, Context: json.RawMessage(fmt.Sprintf(`{"key": %q, "n": %d}`, key, n)),
		}
	}
}

// hold takes the key of a task in a transaction that stays open, and returns what ends it.
func hold(t *testing.T, pool *pgxpool.Pool, request executor.TaskRequest) (executor.TaskCreation, func()) {
	t.Helper()
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) })
	held, err := executor.New(tx).CreateTask(t.Context(), request)
	require.NoError(t, err)
	return held, func() { require.NoError(t, tx.Commit(t.Context())) }
}

type made struct {
	executor.TaskCreation
	err error
}

// Calls that come while one is stuck share a transaction. A call whose key another transaction holds waits by itself, and so does a call whose
// context differs from that of its key.
func TestCreateTask_CallersTravelTogether(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(30))
	request := keyed(t, pool)
	held, commit := hold(t, pool, request("held", 0))
	answers := make(map[string]chan made)
	call := func(name, key string, n int) {
		answers[name] = make(chan made, 1)
		go func() {
			created, err := executor.New(pool).CreateTask(t.Context(), request(key, n))
			answers[name] <- made{created, err}
		}()
	}
	call("stuck", "held", 0)
	require.Eventually(t, func() bool {
		var waits bool
		err := pool.QueryRow(t.Context(), `select exists (select from pg_stat_activity as a
			where a.datname = current_database() and a.wait_event_type = 'Lock')`).Scan(&waits)
		return err == nil && waits
	}, time.Minute, time.Millisecond)
	// These calls come within the time in which the first counts as being under way, or soon after it: each is made in any case.
	for i := range 12 {
		call(fmt.Sprint(i), fmt.Sprint("own-", i), i)
	}
	call("twice", "own-3", 3)
	for i := range 12 {
		got := <-answers[fmt.Sprint(i)]
		require.NoError(t, got.err)
	}
	twice := <-answers["twice"]
	require.NoError(t, twice.err)
	require.Empty(t, answers["stuck"], "its key is held")
	commit()
	stuck := <-answers["stuck"]
	require.NoError(t, stuck.err)
	require.Equal(t, held.TaskUUID, stuck.TaskUUID)
	require.False(t, stuck.Created)

	var transactions, tasks int
	require.NoError(t, pool.QueryRow(t.Context(),
		"select count(distinct t.xmin::text), count(*) from tasker.tasks as t where t.context ->> 'key' like 'own-%'").Scan(&transactions, &tasks))
	require.Equal(t, 12, tasks)
	require.Less(t, transactions, 12, "no two callers shared a transaction")
}

// A shared call that cannot be done is done apart, and each caller hears of its own task only.
func TestCreateTask_OneBadRequestFailsItsOwnCaller(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(30))
	request := keyed(t, pool)
	_, err := executor.New(pool).CreateTask(t.Context(), request("taken", 1))
	require.NoError(t, err)
	for range 5 {
		var all sync.WaitGroup
		for i := range 10 {
			all.Go(func() {
				if i == 4 {
					_, err := executor.New(pool).CreateTask(t.Context(), request("taken", 2))
					require.ErrorIs(t, err, executor.ErrConflict)
					return
				}
				_, err := executor.New(pool).CreateTask(t.Context(), request(fmt.Sprint(i), i))
				require.NoError(t, err)
			})
		}
		all.Wait()
	}
	_, err = executor.New(pool).CreateTask(t.Context(), executor.TaskRequest{Namespace: "shop", Name: "missing"})
	require.ErrorIs(t, err, executor.ErrNotFound)
}

// A pool of one connection, and a caller that ends while it waits.
func TestCreateTask_TravelsOverAPoolOfOne(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(1))
	request := keyed(t, pool)
	var all sync.WaitGroup
	for i := range 30 {
		all.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if i%10 == 9 {
				cancel()
			}
			created, err := executor.New(pool).CreateTask(ctx, request(fmt.Sprint(i), i))
			if i%10 == 9 {
				require.ErrorIs(t, err, context.Canceled)
				return
			}
			require.NoError(t, err)
			require.True(t, created.Created)
		})
	}
	all.Wait()
}

// A caller that holds the only connection in a transaction and calls on the pool waits for itself.
func TestCreateTask_SaysThatNoConnectionIsFree(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(1))
	request := keyed(t, pool)
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	const said = "all 1 connections of the pool were in use: a caller with a transaction passes the transaction, not the pool"
	_, err = executor.New(pool).CreateTask(ctx, request("one", 1))
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, said)
	_, err = executor.New(pool).GetTask(ctx, uuid.New())
	require.ErrorContains(t, err, said)
	_, err = executor.New(tx).CreateTask(t.Context(), request("one", 1))
	require.NoError(t, err)
	require.NoError(t, tx.Commit(t.Context()))
	_, err = executor.New(pool).CreateTask(ctx, request("two", 2))
	require.ErrorIs(t, err, context.Canceled)
	require.NotContains(t, err.Error(), "in use", "the pool has a connection")
}

// A pool whose hook chooses connections by the caller's context has each caller go alone: the tenants of two callers never mix.
func TestCreateTask_DoesNotMixCallersOfAHook(t *testing.T) {
	t.Parallel()
	type tenant struct{}
	pool := pgtest.New(t)
	request := keyed(t, pool)
	config := pool.Config()
	config.MaxConns = 8
	config.PrepareConn = func(ctx context.Context, conn *pgx.Conn) (bool, error) {
		name, _ := ctx.Value(tenant{}).(string)
		_, err := conn.Exec(ctx, "select set_config('application_name', $1, false)", name)
		return err == nil, err
	}
	hooked, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	defer hooked.Close()
	_, err = pool.Exec(t.Context(), `
		create table public.callers (task_uuid uuid, name text);
		create function public.note() returns trigger language plpgsql as $$
		begin
		  insert into public.callers select n.task_uuid, current_setting('application_name') from made as n;
		  return null;
		end $$;
		create trigger note after insert on tasker.tasks referencing new table as made for each statement execute function public.note();
		grant insert on public.callers to public`)
	require.NoError(t, err)
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			name := fmt.Sprint("tenant-", i)
			_, err := executor.New(hooked).CreateTask(context.WithValue(t.Context(), tenant{}, name), request(name, i))
			require.NoError(t, err)
		})
	}
	all.Wait()
	var mixed int
	require.NoError(t, pool.QueryRow(t.Context(), `select count(*) from public.callers as c
		join tasker.tasks as t using (task_uuid) where t.context ->> 'key' <> c.name`).Scan(&mixed))
	require.Zero(t, mixed)
}

// Tasks that are made together are announced as those that are made alone: a listener hears of each.
func TestCreateTask_TogetherAnnouncesEach(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(10))
	request := keyed(t, pool)
	_, err := executor.New(pool).SetSetting(t.Context(), "notify", new("always"))
	require.NoError(t, err)
	got := heard(t, pool, []string{"tasker_task_events"}, func() {
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				_, err := executor.New(pool).CreateTask(t.Context(), request(fmt.Sprint(i), i))
				require.NoError(t, err)
			})
		}
		all.Wait()
	})
	require.Len(t, got, 20)
}
