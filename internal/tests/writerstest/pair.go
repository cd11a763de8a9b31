package writerstest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"golang.org/x/sync/errgroup"

	"github.com/pgtasker/pgtasker/internal/pgtest/checkout"
)

// pair is a pair of databases in which the test makes the same calls.
type pair struct {
	sides [2]*side
	r     *rand.Rand
	now   time.Time
	moves []move
	tasks int // how many there are
	can   map[string]bool
	names map[string]int // how often each kind of call was made without an error
	// problems are the differences so far. A call that answers differently is the last call, because later calls would differ
	// as well.
	problems []string
	compared map[string]int // how many rows of each table, view and reader were compared
	skipped  []string       // tables, columns and functions that only one side has
	// withoutFields are fields that are left out of all rows.
	withoutFields []string
}

// move is a call that was made.
type move struct {
	at   time.Time
	text string
}

// side is one of the databases.
type side struct {
	name   string
	conn   *pgx.Conn
	tasks  []uuid.UUID          // by their numbers, which are equal on both sides
	labels map[[14]byte]int     // the number of a task, by the common beginning of its UUID and its steps' UUIDs
	others map[uuid.UUID]string // names of other UUIDs
}

func newSide(name string, conn *pgx.Conn) *side {
	return &side{name: name, conn: conn, labels: map[[14]byte]int{}, others: map[uuid.UUID]string{}}
}

// ref is a task, or a step of a task, in the form that both sides share.
type ref struct{ task, step int }

// MarshalJSON writes a ref in an argument in the form that people read.
func (r ref) MarshalJSON() ([]byte, error) {
	if r.step == 0 {
		return json.Marshal(fmt.Sprintf("task %d", r.task))
	}
	return json.Marshal(fmt.Sprintf("step %d of task %d", r.step, r.task))
}

// migrate migrates an empty database to the schema of a commit, or of this tree if commit is empty. Then it makes the
// database's behaviour repeatable.
func migrate(ctx context.Context, conn *pgx.Conn, commit string, at time.Time) error {
	s := &side{conn: conn}
	migrations, err := checkout.Migrations(ctx, commit)
	if err != nil {
		return err
	}
	for _, m := range migrations {
		if err := s.exec(ctx, "begin;"+m.Up+";commit;"); err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
	}
	clock, err := checkout.Read(ctx, commit, "pgtap/fixtures/100_clock.sql")
	if err != nil {
		return err
	}
	for _, sql := range []string{
		clock, fmt.Sprintf("select from tasker_test.freeze(%s)", literal(at)), fmt.Sprintf("set tasker_test.at = '%s'", at.UTC().Format(time.RFC3339Nano)), repeatable,
	} {
		if err := s.exec(ctx, sql); err != nil {
			return err
		}
	}
	return nil
}

// repeatable makes chance, time and UUIDs repeatable. random() is 0.5, all of the server's clocks are the test's clock, and UUIDs are
// numbered from the call's number on. The planner inlines these functions into the expressions that call them, since they are SQL. A
// call from elsewhere would run the built-in function. gen_random_uuid leaves the first eight bytes to the engine, which puts the clock
// there, and the last two bytes, which are a step's number. The UUIDs of handlers follow from their names, because their order decides
// between groups of the queue that have waited equally long. Rows of the queue that became visible at one time are taken in the order
// of their keys, not of their places in the table. No vacuum or analyze runs meanwhile, so that both databases have the same plans, and
// statistics, which are a second old, count no dead rows. No query groups rows by a hash table (lab.create), because a hash table has
// an order that follows the numbers of enum types, which differ after each migration.
const repeatable = `
	create sequence tasker_test.uuids;
	grant usage, update on sequence tasker_test.uuids to public;
	create or replace function pg_catalog.random() returns double precision
	  language sql volatile parallel restricted
	as $$ select 0.5::double precision $$;
	create or replace function pg_catalog.now() returns timestamptz
	  language sql stable
	as $$ select pg_catalog.current_setting('tasker_test.at')::timestamptz $$;
	create or replace function pg_catalog.statement_timestamp() returns timestamptz
	  language sql stable
	as $$ select pg_catalog.current_setting('tasker_test.at')::timestamptz $$;
	create or replace function pg_catalog.clock_timestamp() returns timestamptz
	  language sql volatile
	as $$ select pg_catalog.current_setting('tasker_test.at')::timestamptz $$;
	create or replace function pg_catalog.gen_random_uuid() returns uuid
	  language sql volatile parallel restricted
	as $$ select ('00000000-0000-4000-8000-' || lpad(to_hex(nextval('tasker_test.uuids')), 8, '0') || '0000')::uuid $$;
	create or replace function pg_catalog.pg_stat_get_dead_tuples(oid) returns bigint
	  language sql stable
	as $$ select 0::bigint $$;
	select from tasker.set_setting('backoff_jitter', '0');
	select from tasker.set_setting('max_lost', '2');
	drop index tasker.step_queue_claim_idx;
	create index step_queue_claim_idx
	  on tasker.step_queue (namespace, lane, named_step_uuid, visible_at, task_uuid, step_no);
	drop index tasker.step_queue_limit_idx;
	create index step_queue_limit_idx
	  on tasker.step_queue (limit_no, limit_key, lane, named_step_uuid, limit_lane, visible_at, task_uuid, step_no)
	  where limit_no is not null;
	create function tasker_test.name_handler() returns trigger language plpgsql as $$
	begin
	  new.named_step_uuid := md5(new.name)::uuid;
	  return new;
	end;
	$$;
	create trigger name_handler before insert on tasker.named_steps for each row execute function tasker_test.name_handler();
	do $$
	declare
	  v_table regclass;
	begin
	  for v_table in
	    select c.oid from pg_class as c where c.relnamespace = 'tasker'::regnamespace and c.relkind = 'r'
	  loop
	    execute format('alter table %s set (autovacuum_enabled = off)', v_table);
	  end loop;
	end;
	$$;
`

// at moves the clock to the call with a number.
func (s *side) at(ctx context.Context, now time.Time, number int) error {
	return s.exec(ctx, fmt.Sprintf(`
		set tasker_test.at = '%s';
		select setval('tasker_test.uuids', %d);
		update tasker_test.frozen_clock set at = %s`, now.UTC().Format(time.RFC3339Nano), number*1000+1, literal(now)))
}

func literal(at time.Time) string { return "'" + at.UTC().Format(time.RFC3339Nano) + "'::timestamptz" }

func (s *side) exec(ctx context.Context, sql string) error {
	return s.conn.PgConn().Exec(ctx, sql).Close()
}

// outcome is the outcome of a call.
type outcome struct {
	rows []json.RawMessage
	code string // of the error
	text string
}

// call calls a function on both sides, each in a separate transaction, at a time that no other call has. It returns the answer
// of the first side.
func (p *pair) call(ctx context.Context, name, arguments string, args ...any) ([]json.RawMessage, error) {
	sql := "select to_jsonb(r) from tasker." + name + "(" + arguments + ") as r"
	if there, err := p.bothCan(ctx, name, sql); !there || err != nil {
		return nil, err
	}
	p.now = p.now.Add(time.Second)
	shown, err := json.Marshal(args)
	if err != nil {
		return nil, err
	}
	p.moves = append(p.moves, move{p.now, fmt.Sprintf("%s(%s) with %s", name, strings.Join(strings.Fields(arguments), " "), shown)})
	var outcomes [2]outcome
	group, gctx := errgroup.WithContext(ctx)
	for i, s := range p.sides {
		group.Go(func() (err error) {
			if err := s.at(gctx, p.now, len(p.moves)); err != nil {
				return err
			}
			outcomes[i], err = s.run(gctx, sql, args)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("%s: %w", p.lastMove(), err)
	}
	if err := p.labelNewTasks(ctx); err != nil {
		return nil, err
	}
	p.compareOutcomes(outcomes)
	if outcomes[0].code == "" {
		p.names[name]++
	} else {
		p.names[name+" "+outcomes[0].code]++
	}
	return outcomes[0].rows, nil
}

// bothCan returns whether both sides have the function with these arguments. The move is left out if a side lacks the
// function.
func (p *pair) bothCan(ctx context.Context, name, sql string) (bool, error) {
	if can, known := p.can[sql]; known {
		return can, nil
	}
	p.can[sql] = true
	for _, s := range p.sides {
		_, err := s.conn.Prepare(ctx, "", sql)
		if missing := (*pgconn.PgError)(nil); errors.As(err, &missing) && missing.Code == "42883" {
			p.can[sql] = false
			p.skipped = append(p.skipped, "the call "+strings.TrimPrefix(sql, "select to_jsonb(r) from "))
		} else if err != nil {
			return false, fmt.Errorf("%s: %s: %w", s.name, name, err)
		}
	}
	return p.can[sql], nil
}

func (p *pair) lastMove() string {
	return fmt.Sprintf("move %d, %s", len(p.moves), p.moves[len(p.moves)-1].text)
}

// run makes the call on this side. An error of the engine is an outcome.
func (s *side) run(ctx context.Context, sql string, args []any) (o outcome, err error) {
	own := make([]any, len(args))
	for i, arg := range args {
		own[i] = s.own(arg)
	}
	rows, err := s.conn.Query(ctx, sql, own...)
	if err == nil {
		o.rows, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (json.RawMessage, error) {
			var raw json.RawMessage
			err := row.Scan(&raw)
			return bytes.Clone(raw), err
		})
	}
	if refused := (*pgconn.PgError)(nil); errors.As(err, &refused) && !strings.HasPrefix(refused.Code, "42") {
		return outcome{code: refused.Code, text: refused.Message}, nil
	}
	if err != nil {
		return o, fmt.Errorf("%s: %w", s.name, err)
	}
	return o, nil
}

// own returns an argument in the form of this side, with the UUIDs of this side's tasks and steps.
func (s *side) own(arg any) any {
	switch arg := arg.(type) {
	case ref:
		return s.uuid(arg)
	case []ref:
		uuids := make([]uuid.UUID, len(arg))
		for i, one := range arg {
			uuids[i] = s.uuid(one)
		}
		return uuids
	}
	return arg
}

func (s *side) uuid(r ref) uuid.UUID {
	id := s.tasks[r.task]
	binary.BigEndian.PutUint16(id[14:], uint16(r.step))
	return id
}

// ref returns the task or step that has a UUID on this side.
func (s *side) ref(id uuid.UUID) (ref, bool) {
	task, there := s.labels[[14]byte(id[:14])]
	return ref{task, int(binary.BigEndian.Uint16(id[14:]))}, there
}

// label gives a task the next number.
func (s *side) label(id uuid.UUID) {
	if _, there := s.ref(id); !there {
		s.labels[[14]byte(id[:14])] = len(s.tasks)
		s.tasks = append(s.tasks, id)
	}
}

// labelNewTasks numbers the tasks that the last call has created. Their UUIDs are ascending.
func (p *pair) labelNewTasks(ctx context.Context) error {
	for _, s := range p.sides {
		rows, err := s.conn.Query(ctx, "select t.task_uuid from tasker.tasks as t where t.task_uuid >= $1 order by 1", uuidAt(p.now, 0))
		if err != nil {
			return err
		}
		found, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		if err != nil {
			return err
		}
		for _, id := range found {
			s.label(id)
		}
	}
	if p.tasks = len(p.sides[0].tasks); p.tasks != len(p.sides[1].tasks) {
		p.problem("%s: there are %d tasks in %s and %d in %s", p.lastMove(), p.tasks, p.sides[0].name, len(p.sides[1].tasks), p.sides[1].name)
	}
	return nil
}

// uuidAt returns a UUID of version 7 that can be the UUID of a task.
func uuidAt(at time.Time, low uint32) (id uuid.UUID) {
	binary.BigEndian.PutUint64(id[:], uint64(at.UnixMilli())<<16|0x7000)
	id[8] = 0x80
	binary.BigEndian.PutUint32(id[10:], low)
	return id
}

func (p *pair) problem(format string, args ...any) {
	p.problems = append(p.problems, fmt.Sprintf(format, args...))
}

// shownRows is how many differences of a table, a view or a reader are shown.
const shownRows = 5

// shown returns the first differences of each table, view and reader.
func (p *pair) shown() (lines []string) {
	counts := map[string]int{}
	for _, problem := range p.problems {
		what, _, _ := strings.Cut(problem, " ")
		if counts[what]++; counts[what] <= shownRows {
			lines = append(lines, problem)
		}
	}
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		if n := counts[what] - shownRows; n > 0 {
			lines = append(lines, fmt.Sprintf("%s: and %d further rows", what, n))
		}
	}
	return lines
}

// compareOutcomes compares the answers of the sides, in the fields that both have.
func (p *pair) compareOutcomes(outcomes [2]outcome) {
	a, b := outcomes[0], outcomes[1]
	if a.code != b.code {
		p.problem("%s: %s answers %q %s, %s %q %s", p.lastMove(), p.sides[0].name, a.code, a.text, p.sides[1].name, b.code, b.text)
		return
	}
	left, right := p.sides[0].readable(a.rows), p.sides[1].readable(b.rows)
	for i := range max(len(left), len(right)) {
		var l, r string
		if i < len(left) && i < len(right) {
			l, r = shared(left[i], right[i])
		} else if i < len(left) {
			l = left[i]
		} else {
			r = right[i]
		}
		if l != r {
			p.problem("%s: row %d of the answer is\n    %s: %s\n    %s: %s", p.lastMove(), i+1, p.sides[0].name, l, p.sides[1].name, r)
			return
		}
	}
}

// serverNumber is the number of a transaction, also within documents that the engine has stored.
var serverNumber = regexp.MustCompile(`"xact": "?\d+"?,? ?`)

var uuidText = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// readable returns the rows with names in place of UUIDs.
func (s *side) readable(rows []json.RawMessage) []string {
	texts := make([]string, len(rows))
	for i, row := range rows {
		texts[i] = serverNumber.ReplaceAllString(uuidText.ReplaceAllStringFunc(string(row), s.nameOf), "")
	}
	return texts
}

// nameOf names a UUID. A task is named by its number, a step by the task's number and its own. UUIDs that the test has
// chosen stay. All unknown UUIDs have one name, so that the test only compares whether there is a UUID.
func (s *side) nameOf(text string) string {
	id := uuid.MustParse(text)
	if r, there := s.ref(id); there {
		if r.step == 0 {
			return fmt.Sprintf("task %d", r.task)
		}
		return fmt.Sprintf("step %d of task %d", r.step, r.task)
	}
	if name, there := s.others[id]; there {
		return name
	}
	if slices.Contains(workers, id) || bytes.HasPrefix(id[:], chosen) {
		return text
	}
	return "a UUID"
}

// shared returns two JSON objects with only the fields that both have. It returns other values unchanged.
func shared(a, b string) (string, string) {
	var left, right map[string]json.RawMessage
	if json.Unmarshal([]byte(a), &left) != nil || json.Unmarshal([]byte(b), &right) != nil {
		return a, b
	}
	maps.DeleteFunc(left, func(name string, _ json.RawMessage) bool { _, there := right[name]; return !there })
	maps.DeleteFunc(right, func(name string, _ json.RawMessage) bool { _, there := left[name]; return !there })
	return object(left), object(right)
}

// object writes a JSON object with its fields in order.
func object(fields map[string]json.RawMessage) string {
	var text strings.Builder
	for _, name := range slices.SortedFunc(maps.Keys(fields), cmp.Compare[string]) {
		_, _ = fmt.Fprintf(&text, " %s=%s", name, fields[name])
	}
	return strings.TrimSpace(text.String())
}
