package writerstest

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// relations returns the tables and views of a database, with the columns that can be compared. It leaves out columns about
// the installation, which do not depend on the writers, and transaction numbers, which the server chooses.
const relations = `
	select format('%I.%I', n.nspname, c.relname), array_agg(a.attname::text order by a.attname::text)
	  from pg_class as c
	  join pg_namespace as n
	    on n.oid = c.relnamespace
	  join pg_attribute as a
	    on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
	 where n.nspname in ('tasker', 'tasker_compat')
	   and c.relkind in ('r', 'p', 'v')
	   and not c.relispartition
	   -- A row type is a view that can have no rows.
	   and (c.relkind <> 'v' or pg_get_viewdef(c.oid) !~ 'WHERE false')
	   and c.relname <> all (array[
	     'access_maps', 'access_sessions', 'access_tokens', 'administered_tables', 'administration_log', 'full_trees', 'lease_clock',
	     'maintenance_duties', 'partition_config', 'partition_ranges', 'partitioned_tables', 'schema_builds', 'schema_objects', 'settings',
	     'template_fields', 'turns', 'work_rollups', 'queue_history', 'step_rollups', 'task_rollups', 'rollup_state', 'step_sweeps'
	   ])
	   and a.attname <> all (array['xact', 'last_xact', 'snapshot'])
	 group by 1`

// reader is a query of a function, whose rows are compared. The test leaves it out if one side does not have the function.
type reader struct{ function, sql string }

// readers are the readers of history, audit and the feed, and the readers that operators use.
var readers = []reader{
	{"get_task_history", "select t.task_uuid, r.* from tasker.tasks as t cross join lateral tasker.get_task_history(t.task_uuid) as r"},
	{"get_step_history", `select s.task_uuid, s.step_no as of_step_no, r.* from tasker.workflow_steps as s
		cross join lateral tasker.get_step_history(tasker.step_uuid(s.task_uuid, s.step_no)) as r`},
	{"get_task_audit_history", "select t.task_uuid as of_task_uuid, r.* from tasker.tasks as t cross join lateral tasker.get_task_audit_history(t.task_uuid) as r"},
	{"get_step_audit_history", `select s.task_uuid as of_task_uuid, s.step_no as of_step_no, r.* from tasker.workflow_steps as s
		cross join lateral tasker.get_step_audit_history(tasker.step_uuid(s.task_uuid, s.step_no)) as r`},
	{"get_current_task_transition", "select t.task_uuid, r.* from tasker.tasks as t cross join lateral tasker.get_current_task_transition(t.task_uuid) as r"},
	{"get_current_step_transition", `select s.task_uuid, s.step_no as of_step_no, r.* from tasker.workflow_steps as s
		cross join lateral tasker.get_current_step_transition(tasker.step_uuid(s.task_uuid, s.step_no)) as r`},
	{"get_audit_by_time_range", "select * from tasker.get_audit_by_time_range('2000-01-01', p_limit => 1000)"},
	{"get_audit_by_worker", "select w.worker_uuid as of_worker, r.* from tasker.workers as w cross join lateral tasker.get_audit_by_worker(w.worker_uuid, 1000) as r"},
	{"get_audit_by_correlation_id", `select r.* from (select distinct t.correlation_id from tasker.tasks as t) as t
		cross join lateral tasker.get_audit_by_correlation_id(t.correlation_id) as r`},
	{"list_tasks", "select * from tasker.list_tasks(p_limit => 1000)"},
	{"list_steps", "select t.task_uuid as of_task_uuid, r.* from tasker.tasks as t cross join lateral tasker.list_steps(t.task_uuid) as r"},
	{"get_task_execution_context", "select t.task_uuid as of_task_uuid, r.* from tasker.tasks as t cross join lateral tasker.get_task_execution_context(t.task_uuid) as r"},
	{"explain_step", `select s.task_uuid as of_task_uuid, s.step_no as of_step_no, r.* from tasker.workflow_steps as s
		cross join lateral tasker.explain_step(tasker.step_uuid(s.task_uuid, s.step_no)) as r`},
	{"list_signals", "select t.task_uuid as of_task_uuid, r.* from tasker.tasks as t cross join lateral tasker.list_signals(t.task_uuid) as r"},
	{"list_waits", "select * from tasker.list_waits(p_limit => 1000)"},
	{"list_dlq_entries", "select * from tasker.list_dlq_entries(p_limit => 1000)"},
	{"get_work_totals", "select * from tasker.get_work_totals()"},
	{"get_throughput", "select * from tasker.get_throughput('2000-01-01', '1 day')"},
	{"get_slowest_steps", "select * from tasker.get_slowest_steps('2000-01-01', 1000)"},
	{"get_slowest_tasks", "select * from tasker.get_slowest_tasks('2000-01-01', 1000)"},
	{"get_system_health_counts", "select * from tasker.get_system_health_counts()"},
	{"check_integrity", "select * from tasker.check_integrity()"},
}

// compare compares all tables, views and readers that both sides have.
func (p *pair) compare(ctx context.Context) error {
	for _, s := range p.sides {
		if err := s.nameOthers(ctx); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	both, err := p.commonRelations(ctx)
	if err != nil {
		return err
	}
	// The snapshots of dead letters have the columns of these tables.
	if slices.ContainsFunc(p.skipped, func(what string) bool {
		return strings.HasPrefix(what, "tasker.tasks.") || strings.HasPrefix(what, "tasker.workflow_steps.")
	}) {
		p.withoutFields = []string{"task_snapshot"}
		p.skipped = append(p.skipped, "task_snapshot in all tables, views and readers")
	}
	for _, r := range both {
		if err := p.compareQuery(ctx, r.function, r.sql); err != nil {
			return err
		}
	}
	for _, r := range readers {
		there, err := p.bothHave(ctx, r.function)
		if err != nil {
			return err
		}
		if !there {
			p.skipped = append(p.skipped, r.function)
			continue
		}
		if err := p.compareQuery(ctx, r.function, r.sql); err != nil {
			return err
		}
	}
	return p.compareFeed(ctx)
}

func (p *pair) bothHave(ctx context.Context, function string) (bool, error) {
	for _, s := range p.sides {
		var there bool
		err := s.conn.QueryRow(ctx, "select exists (select from pg_proc where pronamespace = 'tasker'::regnamespace and proname = $1)", function).Scan(&there)
		if err != nil || !there {
			return false, err
		}
	}
	return true, nil
}

// commonRelations returns queries of the tables and views that both sides have, with the columns that both have.
func (p *pair) commonRelations(ctx context.Context) (both []reader, err error) {
	var found [2]map[string][]string
	for i, s := range p.sides {
		found[i] = map[string][]string{}
		rows, err := s.conn.Query(ctx, relations)
		if err != nil {
			return nil, err
		}
		var name string
		var columns []string
		if _, err := pgx.ForEachRow(rows, []any{&name, &columns}, func() error {
			found[i][name] = slices.Clone(columns)
			return nil
		}); err != nil {
			return nil, err
		}
	}
	for name, columns := range found[0] {
		others, there := found[1][name]
		if !there {
			p.skipped = append(p.skipped, name)
			continue
		}
		var shared []string
		for _, column := range columns {
			if slices.Contains(others, column) {
				shared = append(shared, pgx.Identifier{column}.Sanitize())
			} else {
				p.skipped = append(p.skipped, name+"."+column)
			}
		}
		for _, column := range others {
			if !slices.Contains(columns, column) {
				p.skipped = append(p.skipped, name+"."+column)
			}
		}
		both = append(both, reader{name, "select " + strings.Join(shared, ", ") + " from " + name})
	}
	for name := range found[1] {
		if _, there := found[0][name]; !there {
			p.skipped = append(p.skipped, name)
		}
	}
	slices.SortFunc(both, func(a, b reader) int { return strings.Compare(a.function, b.function) })
	return both, nil
}

// nameOthers gives names to the UUIDs that belong to neither tasks nor steps. It requires that the UUID of a transition follows
// from the transition's key.
func (s *side) nameOthers(ctx context.Context) error {
	rows, err := s.conn.Query(ctx, `
		select n.task_namespace_uuid, 'namespace ' || n.name from tasker.task_namespaces as n
		union all
		select t.named_task_uuid, format('template %s.%s %s', n.name, t.name, t.version)
		  from tasker.named_tasks as t join tasker.task_namespaces as n on n.task_namespace_uuid = t.task_namespace_uuid
		union all
		select x.schedule_uuid, format('schedule %s', x.schedule) from tasker.schedules as x`)
	if err != nil {
		return err
	}
	var id uuid.UUID
	var name string
	if _, err := pgx.ForEachRow(rows, []any{&id, &name}, func() error { s.others[id] = name; return nil }); err != nil {
		return err
	}
	rows, err = s.conn.Query(ctx, `
		select t.task_uuid, 0, t.transition_count from tasker.tasks as t
		union all
		select s.task_uuid, s.step_no, s.transition_count from tasker.workflow_steps as s`)
	if err != nil {
		return err
	}
	var step, count int32
	_, err = pgx.ForEachRow(rows, []any{&id, &step, &count}, func() error {
		for key := range count + 1 {
			s.others[transitionUUID(id, step, key)] = fmt.Sprintf("transition %d of %s", key, s.nameOf(s.stepUUID(id, step)))
		}
		return nil
	})
	return err
}

func (*side) stepUUID(task uuid.UUID, step int32) string {
	binary.BigEndian.PutUint16(task[14:], uint16(step))
	return task.String()
}

// transitionUUID computes the same as tasker.transition_uuid, because UUIDs that clients have stored must stay the
// same.
func transitionUUID(task uuid.UUID, step, key int32) (id uuid.UUID) {
	raw := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(task[:16:16], uint32(step)), uint32(key))
	digest := sha256.Sum256(raw)
	copy(id[:], digest[:])
	id[6] = id[6]&0x0f | 0x80
	id[8] = id[8]&0x3f | 0x80
	return id
}

// compareQuery adds a problem for each row that one side returns and the other side does not, by except all in both
// directions.
func (p *pair) compareQuery(ctx context.Context, what, sql string) error {
	var texts [2][]string
	for i, s := range p.sides {
		rows, err := s.conn.Query(ctx, "select to_jsonb(r) - $1::text[] from ("+sql+") as r", p.withoutFields)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", s.name, what, err)
		}
		raw, err := pgx.CollectRows(rows, pgx.RowTo[json.RawMessage])
		if err != nil {
			return fmt.Errorf("%s: %s: %w", s.name, what, err)
		}
		texts[i] = s.readable(raw)
	}
	p.compareRows(what, texts)
	return nil
}

// compareFeed reads all events on both sides and compares them, in their order within a task.
func (p *pair) compareFeed(ctx context.Context) error {
	var texts [2][]string
	for i, s := range p.sides {
		for {
			rows, err := s.conn.Query(ctx, "select to_jsonb(r) from tasker.read_events($1, $2, 1000) as r", feed, workers[0])
			if err != nil {
				return err
			}
			raw, err := pgx.CollectRows(rows, pgx.RowTo[json.RawMessage])
			if err != nil {
				return err
			}
			if len(raw) == 0 {
				break
			}
			var last struct{ Place string }
			if err := json.Unmarshal(raw[len(raw)-1], &last); err != nil {
				return err
			}
			if _, err := s.conn.Exec(ctx, "select tasker.acknowledge_events($1, $2, $3, $4)", feed, workers[0], last.Place, len(raw)); err != nil {
				return err
			}
			for _, text := range s.readable(raw) {
				texts[i] = append(texts[i], placeField.ReplaceAllString(text, ""))
			}
		}
	}
	p.compared["read_events"] = len(texts[0])
	p.compareRows("read_events", texts)
	return nil
}

// placeField matches a field that has a transaction's number.
var placeField = regexp.MustCompile(`"place": "[^"]*",? ?`)

func (p *pair) compareRows(what string, texts [2][]string) {
	p.compared[what] = len(texts[0])
	counts := map[string]int{}
	if len(texts[0]) > 0 && len(texts[1]) > 0 {
		keepShared(&texts)
	}
	for _, text := range texts[0] {
		counts[text]++
	}
	for _, text := range texts[1] {
		counts[text]--
	}
	var missing []string
	for text, n := range counts {
		for range max(n, -n) {
			name := p.sides[0].name
			if n < 0 {
				name = p.sides[1].name
			}
			missing = append(missing, fmt.Sprintf("%s has a row that only %s has, %s\n    %s", what, name, p.madeBy(text), text))
		}
	}
	slices.SortFunc(missing, func(a, b string) int { return strings.Compare(a[strings.Index(a, "\n"):], b[strings.Index(b, "\n"):]) })
	p.problems = append(p.problems, missing...)
}

// keepShared removes from the rows of both sides the fields that only one side has.
func keepShared(texts *[2][]string) {
	// All rows of a query have the same fields.
	first, second := texts[0][0], texts[1][0]
	if a, b := fieldsOf(first), fieldsOf(second); slices.Equal(a, b) {
		return
	}
	for i := range texts {
		other := [2]string{second, first}[i]
		for j, text := range texts[i] {
			texts[i][j], _ = shared(text, other)
		}
	}
}

func fieldsOf(text string) (names []string) {
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &fields) != nil {
		return nil
	}
	for name := range fields {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

var instant = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00`)

// madeBy returns the name of the newest call whose time is in a row.
func (p *pair) madeBy(text string) string {
	var newest time.Time
	number := -1
	for _, found := range instant.FindAllString(text, -1) {
		at, err := time.Parse(time.RFC3339Nano, found)
		if err != nil || !at.After(newest) {
			continue
		}
		if i := slices.IndexFunc(p.moves, func(m move) bool { return m.at.Equal(at) }); i >= 0 {
			newest, number = at, i
		}
	}
	if number < 0 {
		return "which has the time of no move"
	}
	return fmt.Sprintf("written by move %d, %s", number+1, p.moves[number].text)
}
