package citustest

import (
	"bytes"
	"context"
	"log/slog"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/pgtest/pgserver"
	"github.com/pgtasker/pgtasker/migrate"
	"github.com/pgtasker/pgtasker/worker"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// envPrograms is the directory of the programs of a PostgreSQL with Citus.
const envPrograms = "PGTASKER_TEST_CITUS"

// citus is a coordinator and two servers that become its worker nodes. Each has a database shop with Citus.
type citus struct {
	coordinator *pgserver.Server
	nodes       []*pgserver.Server
}

func start(t *testing.T) *citus {
	t.Helper()
	bin := os.Getenv(envPrograms)
	if bin == "" {
		t.Skip("make test-citus CITUS=/path/to/its/source runs it")
	}
	c := &citus{coordinator: begin(t, bin)}
	for range 2 {
		c.nodes = append(c.nodes, begin(t, bin))
	}
	return c
}

func begin(t *testing.T, bin string) *pgserver.Server {
	t.Helper()
	server, err := pgserver.StartCrashSafeWith(t.Context(), bin)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop()) })
	admin, err := pgx.Connect(t.Context(), server.URL)
	require.NoError(t, err)
	_, err = admin.Exec(t.Context(), "create database shop")
	require.NoError(t, err)
	require.NoError(t, admin.Close(t.Context()))
	_, err = shop(t, server, "postgres").Exec(t.Context(), "create extension citus")
	require.NoError(t, err)
	return server
}

// shop returns a pool of a role in a server's database shop.
func shop(t *testing.T, server *pgserver.Server, role string) *pgxpool.Pool {
	t.Helper()
	address, err := url.Parse(server.URL)
	require.NoError(t, err)
	address.Path, address.User = "/shop", url.User(role)
	pool, err := pgxpool.New(t.Context(), address.String())
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	return pool
}

func host(t *testing.T, server *pgserver.Server) string {
	t.Helper()
	address, err := url.Parse(server.URL)
	require.NoError(t, err)
	return address.Query().Get("host")
}

// addNodes makes the two servers worker nodes of the coordinator.
func (c *citus) addNodes(t *testing.T) {
	t.Helper()
	pool := shop(t, c.coordinator, "postgres")
	_, err := pool.Exec(t.Context(), "select citus_set_coordinator_host($1, 5432)", host(t, c.coordinator))
	require.NoError(t, err)
	for _, node := range c.nodes {
		_, err = pool.Exec(t.Context(), "select citus_add_node($1, 5432)", host(t, node))
		require.NoError(t, err)
	}
	require.Equal(t, 2, number(t, pool, "select count(*) from pg_dist_node where noderole = 'primary' and groupid > 0 and isactive and metadatasynced"))
}

// stayedHere checks that the nodes have nothing of pgtasker, and that Citus would not copy it to new nodes.
func (c *citus) stayedHere(t *testing.T) {
	t.Helper()
	const schemas = "select coalesce(string_agg(n.nspname, ', '), '') from pg_namespace as n where n.nspname ~ '^(task|pgmq)'"
	for _, node := range c.nodes {
		require.Empty(t, value[string](t, shop(t, node, "postgres"), schemas))
	}
	pool := shop(t, c.coordinator, "postgres")
	require.NotEmpty(t, value[string](t, pool, schemas))
	require.Empty(t, value[string](t, pool, `
		select coalesce(string_agg(pg_describe_object(d.classid, d.objid, d.objsubid), ', '), '')
		  from pg_dist_object as d
		 where pg_describe_object(d.classid, d.objid, d.objsubid) ~ 'task|pgmq'
		   and d.classid <> 'pg_authid'::regclass`))
}

func value[T any](t *testing.T, pool *pgxpool.Pool, sql string, arguments ...any) (v T) {
	t.Helper()
	require.NoError(t, pool.QueryRow(t.Context(), sql, arguments...).Scan(&v))
	return v
}

func number(t *testing.T, pool *pgxpool.Pool, sql string) int {
	t.Helper()
	return value[int](t, pool, sql)
}

// A superuser migrates, and so does a role that has only the privileges that docs/install.md names.
func TestMigrations_StayOnTheCoordinator(t *testing.T) {
	t.Parallel()
	for _, role := range []string{"postgres", "deployer"} {
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			c := start(t)
			c.addNodes(t)
			admin := shop(t, c.coordinator, "postgres")
			if role != "postgres" {
				_, err := admin.Exec(t.Context(), "create role "+role+" login createrole; grant create on database shop to "+role)
				require.NoError(t, err)
			}
			pool := shop(t, c.coordinator, role)
			require.NoError(t, migrate.Up(t.Context(), pool))
			c.stayedHere(t)

			// Later migrations must apply again over the objects that the first migrations have created.
			require.NoError(t, migrate.Down(t.Context(), pool, 4))
			require.NoError(t, migrate.Up(t.Context(), pool))
			c.stayedHere(t)

			// Without the setting Citus connects to the nodes as tasker_owner.
			_, err := admin.Exec(t.Context(), "begin; set local role tasker_owner; create function tasker.f() returns int language sql as 'select 1'")
			require.ErrorContains(t, err, `role "tasker_owner" is not permitted to log in`)

			all, err := migrate.Status(t.Context(), pool)
			require.NoError(t, err)
			require.NoError(t, migrate.Down(t.Context(), pool, len(all)))
		})
	}
}

func TestDump_StaysOnTheCoordinator(t *testing.T) {
	t.Parallel()
	c := start(t)
	c.addNodes(t)
	var script bytes.Buffer
	require.NoError(t, migrate.Dump(&script))
	conn, err := shop(t, c.coordinator, "postgres").Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	require.NoError(t, conn.Conn().PgConn().Exec(t.Context(), script.String()).Close())
	c.stayedHere(t)
}

func TestNodes_AddedLaterGetNothing(t *testing.T) {
	t.Parallel()
	c := start(t)
	pool := shop(t, c.coordinator, "postgres")
	require.NoError(t, migrate.Up(t.Context(), pool))
	c.addNodes(t)
	c.stayedHere(t)
	c.work(t, pool)
	c.stayedHere(t)
}

func TestWork_StaysOnTheCoordinator(t *testing.T) {
	t.Parallel()
	c := start(t)
	c.addNodes(t)
	pool := shop(t, c.coordinator, "postgres")
	require.NoError(t, migrate.Up(t.Context(), pool))
	c.work(t, pool)
	c.stayedHere(t)
}

const tasks = 50

// work creates tables, roles and rows as a running system does, and has workers complete all tasks.
func (c *citus) work(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	for _, sql := range []string{
		"select tasker.setup_partitioning()",
		`select tasker.register_task_template('{"namespace": "shop", "name": "order", "identity_strategy": "always_unique", "steps": [
		  {"name": "a"}, {"name": "b", "dependencies": ["a"]}, {"name": "c", "dependencies": ["a"]},
		  {"name": "d", "dependencies": ["b", "c"]}]}')`,
		"select tasker.set_schedule('shop', 'daily', 'order', p_cron => '0 7 * * *')",
		"select tasker.subscribe('audit')",
		"select tasker.ensure_task_queue('mail')",
		"select tasker.create_token('one', sha256('secret'), 'tasker_worker', array['shop'])",
	} {
		_, err := pool.Exec(t.Context(), sql)
		require.NoError(t, err, sql)
	}
	e := executor.New(pool)
	var created []uuid.UUID
	for range tasks {
		task, err := e.CreateTask(t.Context(), executor.TaskRequest{Namespace: "shop", Name: "order"})
		require.NoError(t, err)
		created = append(created, task.TaskUUID)
	}

	w, err := worker.New(pool, worker.Config{PollInterval: 200 * time.Millisecond, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	var mutex sync.Mutex
	ran := map[uuid.UUID]int{}
	for _, name := range []string{"a", "b", "c", "d"} {
		worker.Handle(w, name, func(_ context.Context, job *worker.Job[struct{}]) (string, error) {
			mutex.Lock()
			defer mutex.Unlock()
			ran[job.StepUUID]++
			return name, nil
		})
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	for _, task := range created {
		detail, err := executor.NewClient(pool).Tasks().Wait(t.Context(), task, executor.WaitOptions{ThroughBlocked: true})
		require.NoError(t, err)
		require.Equal(t, "complete", string(detail.State))
	}
	stop()
	<-ended
	require.Len(t, ran, 4*tasks)
	for step, runs := range ran {
		require.Equal(t, 1, runs, step)
	}

	for _, sql := range []string{
		"select tasker.ensure_partitions()",
		"select tasker.run_maintenance()",
		"select tasker.refresh_analytics()",
	} {
		_, err := pool.Exec(t.Context(), sql)
		require.NoError(t, err, sql)
	}
	require.Empty(t, lines(t, pool, "select c.object || ': ' || c.problem from tasker.check_integrity() as c"))
	// The servers of the tests run with fsync off, which check_installation reports as durability.
	require.Empty(t, lines(t, pool, "select f.name || ': ' || f.message from tasker.check_installation() as f where f.status = 'fail' and f.name <> 'durability'"))
}

func lines(t *testing.T, pool *pgxpool.Pool, sql string) string {
	t.Helper()
	rows, err := pool.Query(t.Context(), sql)
	require.NoError(t, err)
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return strings.Join(found, "\n")
}

// A transaction that writes to a distributed table and creates a task commits both changes or neither.
func TestTransaction_OverShardsAndATask(t *testing.T) {
	t.Parallel()
	c := start(t)
	c.addNodes(t)
	pool := shop(t, c.coordinator, "postgres")
	require.NoError(t, migrate.Up(t.Context(), pool))
	for _, sql := range []string{
		"create table public.orders (id bigint primary key, task_uuid uuid)",
		"select create_distributed_table('public.orders', 'id')",
		`select tasker.register_task_template('{"namespace": "shop", "name": "order", "identity_strategy": "always_unique", "steps": [{"name": "a"}]}')`,
	} {
		_, err := pool.Exec(t.Context(), sql)
		require.NoError(t, err, sql)
	}
	for id := range 40 {
		tx, err := pool.Begin(t.Context())
		require.NoError(t, err)
		var task uuid.UUID
		require.NoError(t, tx.QueryRow(t.Context(), "select c.task_uuid from tasker.create_task('shop', 'order') as c").Scan(&task))
		_, err = tx.Exec(t.Context(), "insert into public.orders (id, task_uuid) values ($1, $2)", id, task)
		require.NoError(t, err)
		if id%2 == 0 {
			require.NoError(t, tx.Commit(t.Context()))
		} else {
			require.NoError(t, tx.Rollback(t.Context()))
		}
	}
	require.Equal(t, 20, number(t, pool, "select count(*) from public.orders"))
	require.Equal(t, 20, number(t, pool, "select count(*) from tasker.tasks"))

	// The nodes receive rows whose types they know.
	require.Equal(t, 20, number(t, pool, `
		with t as materialized (select t.task_uuid, t.state::text from tasker.list_tasks() as t)
		select count(*) from public.orders as o join t using (task_uuid) where t.state <> 'complete'`))
	c.stayedHere(t)
	for sql, problem := range map[string]string{
		"select count(*) from public.orders as o join tasker.list_tasks() as l using (task_uuid)": `schema "tasker" does not exist`,
		`with t as materialized (select t.task_uuid, t.state from tasker.list_tasks() as t)
		 select count(*) from public.orders as o join t using (task_uuid) where t.state = 'pending'`: `schema "tasker" does not exist`,
		"insert into public.orders (id, task_uuid) values (99, (select c.task_uuid from tasker.create_task('shop', 'order') as c))": "subqueries are not supported within INSERT",
		"select create_distributed_table('tasker.tasks', 'task_uuid')":                                                              "circular dependencies",
		"select citus_schema_distribute('tasker')":                                                                                  "because it has triggers",
	} {
		_, err := pool.Exec(t.Context(), sql)
		require.ErrorContains(t, err, problem, sql)
	}
}
