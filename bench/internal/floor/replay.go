package floor

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Kind says which rows are left out, and which further work is done.
type Kind struct {
	// NoLog leaves out the rows of the two logs.
	NoLog bool
	// NoChecks leaves out constraints and triggers.
	NoChecks bool
	// Look also searches the steps to claim, locks their tasks and reads the edges, as an engine must.
	Look bool
}

// Floor writes rows over one connection.
type Floor struct {
	Kind
	conn      *pgx.Conn
	templates map[string]template
}

type template struct {
	id       uuid.UUID
	handlers []uuid.UUID // by the number of the step minus one
}

// New prepares a database in which the templates of namespace bench are registered. Only this connection writes rows.
// It keeps the settings that the engine's functions pin.
func New(ctx context.Context, conn *pgx.Conn, kind Kind) (*Floor, error) {
	f := &Floor{Kind: kind, conn: conn, templates: map[string]template{}}
	statements := []string{functions}
	if kind.NoChecks {
		statements = append(statements, "set session_replication_role = replica", `
			do $$
			declare
			  v_check record;
			begin
			  for v_check in
			    select c.conrelid::regclass as of, c.conname
			      from pg_constraint as c
			     where c.contype = 'c'
			       and c.connamespace = 'tasker'::regnamespace
			       and c.coninhcount = 0
			       and c.conrelid in (
			         'tasker.tasks'::regclass, 'tasker.workflow_steps'::regclass, 'tasker.step_log'::regclass,
			         'tasker.task_log'::regclass, 'tasker.step_queue'::regclass, 'tasker.workers'::regclass
			       )
			  loop
			    execute format('alter table %s drop constraint %I', v_check.of, v_check.conname);
			  end loop;
			end;
			$$`)
	}
	for _, name := range []string{"enable_hashjoin", "enable_mergejoin", "enable_seqscan", "jit"} {
		statements = append(statements, "set "+name+" = off")
	}
	statements = append(statements, "set plan_cache_mode = force_generic_plan", "set max_parallel_workers_per_gather = 0")
	for _, statement := range statements {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return nil, err
		}
	}
	types, err := conn.LoadTypes(ctx, []string{"tasker.step_state", "tasker._step_state", "tasker.task_state", "tasker._task_state"})
	if err != nil {
		return nil, err
	}
	conn.TypeMap().RegisterTypes(types)
	rows, err := conn.Query(ctx, `
		select k.name, k.named_task_uuid, array_agg(s.named_step_uuid order by s.step_no)
		  from tasker.named_tasks as k
		  join tasker.task_namespaces as n
		    on n.task_namespace_uuid = k.task_namespace_uuid
		  join tasker.named_tasks_named_steps as s
		    on s.named_task_uuid = k.named_task_uuid
		 where n.name = 'bench'
		 group by k.name, k.named_task_uuid`)
	if err != nil {
		return nil, err
	}
	var name string
	var t template
	_, err = pgx.ForEachRow(rows, []any{&name, &t.id, &t.handlers}, func() error {
		f.templates[name] = template{t.id, append([]uuid.UUID{}, t.handlers...)}
		return nil
	})
	return f, err
}

// Replay writes the rows of recorded exchanges, for these tasks of a template.
func (f *Floor) Replay(ctx context.Context, name string, tasks []uuid.UUID, calls []Call) error {
	worker, known := uuid.New(), false
	t := f.templates[name]
	for i, c := range calls {
		var err error
		if len(c.results) <= 1 && len(c.claims) <= 1 {
			err = f.one(ctx, t, tasks, c, worker, known)
		} else {
			err = f.many(ctx, t, tasks, c, worker, known)
		}
		if err != nil {
			return fmt.Errorf("call %d (%s): %w", i, c, err)
		}
		known = known || len(c.claims) > 0
	}
	return nil
}

func (f *Floor) one(ctx context.Context, t template, tasks []uuid.UUID, c Call, worker uuid.UUID, known bool) error {
	var task, step, claimed, results, state, next, nextStep, nextClaim any
	var children []int32
	var childState any
	var handlers []uuid.UUID
	var moved task0
	var sortKeys []int32
	var paths []int32
	var metadata, outcomes []json.RawMessage
	for _, r := range c.results {
		task, step, claimed, results = tasks[r.task], r.step, r.claim, r.results
	}
	for _, k := range c.children {
		if childState != nil && childState != k.state {
			return fmt.Errorf("children move to %s and %s", childState, k.state)
		}
		childState, children = k.state, append(children, k.step)
		if k.state == "enqueued" {
			handlers = append(handlers, t.handlers[k.step-1])
		}
	}
	for _, m := range c.tasks {
		state, moved = m.state, task0{m.open, m.active, m.logged}
	}
	for _, l := range c.logged {
		sortKeys, paths = append(sortKeys, l.sortKey), append(paths, l.path)
		metadata, outcomes = append(metadata, l.metadata), append(outcomes, l.outcome)
	}
	for _, n := range c.claims {
		next, nextStep, nextClaim = tasks[n.task], n.step, n.claim
	}
	_, err := f.conn.Exec(ctx, `select public.floor_exchange_one(
		$1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)`,
		worker, known, uuid.New(), task, step, claimed, results, children, childState, handlers, state, moved.open, moved.active, moved.logged,
		sortKeys, paths, metadata, outcomes, next, nextStep, nextClaim, !f.NoLog, f.Look)
	return err
}

type task0 struct{ open, active, logged int32 }

func (f *Floor) many(ctx context.Context, t template, tasks []uuid.UUID, c Call, worker uuid.UUID, known bool) error {
	var rTasks, cTasks, cHandlers, tTasks, lTasks, nTasks []uuid.UUID
	var rSteps, rClaims, cSteps, cPending, cSatisfied, tOpen, tActive, tLogged, lKeys, lPaths, nSteps, nClaims []int32
	var rResults, lMetadata, lOutcomes []json.RawMessage
	var cStates, tStates []string
	for _, r := range c.results {
		rTasks, rSteps, rClaims, rResults = append(rTasks, tasks[r.task]), append(rSteps, r.step), append(rClaims, r.claim), append(rResults, r.results)
	}
	for _, k := range c.children {
		cTasks, cSteps, cStates = append(cTasks, tasks[k.task]), append(cSteps, k.step), append(cStates, k.state)
		cPending, cSatisfied = append(cPending, k.pending), append(cSatisfied, k.satisfied)
		cHandlers = append(cHandlers, t.handlers[k.step-1])
	}
	for _, m := range c.tasks {
		tTasks, tStates = append(tTasks, tasks[m.task]), append(tStates, m.state)
		tOpen, tActive, tLogged = append(tOpen, m.open), append(tActive, m.active), append(tLogged, m.logged)
	}
	for _, l := range c.logged {
		lTasks, lKeys, lPaths = append(lTasks, tasks[l.task]), append(lKeys, l.sortKey), append(lPaths, l.path)
		lMetadata, lOutcomes = append(lMetadata, l.metadata), append(lOutcomes, l.outcome)
	}
	for _, n := range c.claims {
		nTasks, nSteps, nClaims = append(nTasks, tasks[n.task]), append(nSteps, n.step), append(nClaims, n.claim)
	}
	_, err := f.conn.Exec(ctx, `select public.floor_exchange_many(
		$1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28)`,
		worker, known, uuid.New(), rTasks, rSteps, rClaims, rResults, cTasks, cSteps, cStates, cPending, cSatisfied, cHandlers,
		tTasks, tStates, tOpen, tActive, tLogged, lTasks, lKeys, lPaths, lMetadata, lOutcomes, nTasks, nSteps, nClaims,
		!f.NoLog, f.Look)
	return err
}

const payload = `{"order": 4711}`

// Create writes the rows of a new task, and returns its UUID.
func (f *Floor) Create(ctx context.Context, name string) (uuid.UUID, error) {
	return f.CreateOn(ctx, f.conn, name)
}

// CreateOn is [Floor.Create] over another connection.
func (f *Floor) CreateOn(ctx context.Context, conn *pgx.Conn, name string) (uuid.UUID, error) {
	t, id := f.templates[name], mint()
	_, err := conn.Exec(ctx, "select public.floor_create_one($1, $2, $3, $4, $5, null, null, $6)",
		id, t.id, len(t.handlers), t.handlers[0], payload, !f.NoLog)
	return id, err
}

// Start writes the rows of a new task whose first step a worker has claimed.
func (f *Floor) Start(ctx context.Context, name string, worker uuid.UUID, claim int32) (step uuid.UUID, err error) {
	t, id := f.templates[name], mint()
	_, err = f.conn.Exec(ctx, "select public.floor_create_one($1, $2, $3, $4, $5, $6, $7, $8)",
		id, t.id, len(t.handlers), t.handlers[0], payload, worker, claim, !f.NoLog)
	id[15] = 1
	return id, err
}

// CreateMany writes the rows of new tasks, and returns their UUIDs.
func (f *Floor) CreateMany(ctx context.Context, name string, n int) ([]uuid.UUID, error) {
	t := f.templates[name]
	ids := make([]uuid.UUID, n)
	for i := range ids {
		ids[i] = mint()
	}
	_, err := f.conn.Exec(ctx, "select public.floor_create_many($1, $2, $3, $4, $5, $6)",
		ids, t.id, len(t.handlers), t.handlers[0], payload, !f.NoLog)
	return ids, err
}

// mint returns the UUID of a task: version 7, its last 16 bits zero.
func mint() uuid.UUID {
	id := uuid.Must(uuid.NewV7())
	id[14], id[15] = 0, 0
	return id
}

// EngineCreate lets the engine create tasks, and returns their UUIDs in order.
func EngineCreate(ctx context.Context, db interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}, name string, n int,
) ([]uuid.UUID, error) {
	rows, err := db.Query(ctx, `select c.task_uuid from tasker.create_tasks('bench', $1, array_fill('{"order": 4711}'::jsonb, array[$2::integer])) as c`, name, n)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}

// Compare returns an error unless the rows of these tasks are the same in both databases, and counts has as many rows of
// each table as the recording.
func Compare(ctx context.Context, recorded, written *pgxpool.Pool, these, those []uuid.UUID, want, got map[string]int64) error {
	if err := compareCounts(want, got); err != nil {
		return err
	}
	for _, table := range []string{"tasks", "workflow_steps", "step_log", "task_log", "step_queue"} {
		a, err := contents(ctx, recorded, table, these)
		if err != nil {
			return err
		}
		b, err := contents(ctx, written, table, those)
		if err != nil {
			return err
		}
		if err := compareRows(table, a, b); err != nil {
			return err
		}
	}
	return nil
}

func compareCounts(want, got map[string]int64) error {
	for what, n := range want {
		if got[what] != n {
			return fmt.Errorf("%s: %d rows, the engine writes %d", what, got[what], n)
		}
	}
	for what, n := range got {
		if want[what] != n {
			return fmt.Errorf("%s: %d rows, the engine writes %d", what, n, want[what])
		}
	}
	return nil
}

func compareRows(table string, want, got []string) error {
	if len(want) != len(got) {
		return fmt.Errorf("%s: %d rows, the engine leaves %d", table, len(got), len(want))
	}
	for i := range want {
		if want[i] != got[i] {
			return fmt.Errorf("%s differs:\n%s\nthe engine leaves\n%s", table, got[i], want[i])
		}
	}
	return nil
}

// masked is the text of row t without the columns that differ each time the row is written.
const masked = `regexp_replace(regexp_replace(
	(to_jsonb(t) - '{xact,named_task_uuid,named_step_uuid}'::text[])::text,
	'"\d{4}-\d\d-\d\dT[^"]*"', '"a time"', 'g'), '"[0-9a-f]{8}-[0-9a-f-]{27}"', '"a uuid"', 'g')`

// contents returns the rows of a table that belong to these tasks, without times, and with names in place of UUIDs.
func contents(ctx context.Context, pool *pgxpool.Pool, table string, tasks []uuid.UUID) ([]string, error) {
	rows, err := pool.Query(ctx, fmt.Sprintf(`
		select %s
		  from unnest($1::uuid[]) with ordinality as u (task_uuid, no)
		  join tasker.%s as t
		    on t.task_uuid = u.task_uuid
		 order by u.no, (to_jsonb(t) ->> 'step_no')::integer, (to_jsonb(t) ->> 'sort_key')::integer`, masked, table), tasks)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// Counts returns the number of rows that were written to each table so far, in the form of Writes. conn is a session of the
// pool that is in use, or nil.
func Counts(ctx context.Context, conn *pgx.Conn, pool *pgxpool.Pool) (map[string]int64, error) {
	const flush = "select pg_stat_force_next_flush()"
	if conn != nil {
		if _, err := conn.Exec(ctx, flush); err != nil {
			return nil, err
		}
	}
	for _, idle := range pool.AcquireAllIdle(ctx) {
		_, err := idle.Exec(ctx, flush)
		idle.Release()
		if err != nil {
			return nil, err
		}
	}
	rows, err := pool.Query(ctx, `
		select case when s.schemaname <> 'tasker' then s.schemaname || '.' else '' end || w.relation || ' ' || w.op, sum(w.n)::bigint
		  from pg_stat_user_tables as s
		  join pg_class as c
		    on c.oid = coalesce(pg_partition_root(s.relid), s.relid)
		 cross join lateral (values
		   (c.relname, 'INSERT', s.n_tup_ins), (c.relname, 'UPDATE', s.n_tup_upd), (c.relname, 'DELETE', s.n_tup_del)
		 ) as w (relation, op, n)
		 group by 1
		having sum(w.n) > 0`)
	if err != nil {
		return nil, err
	}
	counts := map[string]int64{}
	var what string
	var n int64
	_, err = pgx.ForEachRow(rows, []any{&what, &n}, func() error { counts[what] = n; return nil })
	return counts, err
}

// Since returns the difference between two counts.
func Since(before, after map[string]int64) map[string]int64 {
	diff := map[string]int64{}
	for what, n := range after {
		if n > before[what] {
			diff[what] = n - before[what]
		}
	}
	return diff
}
