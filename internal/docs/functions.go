package docs

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// function is a public SQL function as the reference shows it.
type function struct {
	Name      string
	Arguments string
	Result    string
	Changes   string // " stable" or " immutable", empty for functions that may write
	Comment   string
	Roles     string
	Room      string
}

const publicFunctions = `
	select
	  p.proname,
	  pg_catalog.pg_get_function_arguments(p.oid),
	  replace(pg_catalog.pg_get_function_result(p.oid), 'SETOF ', 'setof '),
	  case p.provolatile when 'i' then ' immutable' when 's' then ' stable' else '' end,
	  pg_catalog.obj_description(p.oid, 'pg_proc'),
	  string_agg(r.rolname, ', ' order by r.rolname)
	from pg_catalog.pg_proc as p
	cross join aclexplode(p.proacl) as a
	join pg_catalog.pg_roles as r
	  on r.oid = a.grantee
	 and r.rolname like $1 || '\_%'
	 and r.rolname <> 'tasker_owner'
	where p.pronamespace = $1::text::regnamespace
	group by p.oid
	order by p.proname`

// readFunctions returns the public functions by room and name. The room is the folder of the
// function's definition.
func readFunctions(ctx context.Context, pool *pgxpool.Pool, root string) ([]function, error) {
	functions, err := readSchema(ctx, pool, "tasker")
	if err != nil {
		return nil, err
	}
	for i := range functions {
		files, err := filepath.Glob(filepath.Join(root, "db/schema/functions/*/*", functions[i].Name+".sql"))
		if err != nil || len(files) != 1 {
			return nil, fmt.Errorf("function %s has %d files in db/schema/functions", functions[i].Name, len(files))
		}
		room, err := filepath.Rel(filepath.Join(root, "db/schema/functions"), filepath.Dir(files[0]))
		if err != nil {
			return nil, err
		}
		functions[i].Room = filepath.ToSlash(room)
	}
	return functions, nil
}

// readSchema returns the public functions of a schema by name.
func readSchema(ctx context.Context, pool *pgxpool.Pool, schema string) ([]function, error) {
	rows, err := pool.Query(ctx, publicFunctions, schema)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (f function, err error) {
		return f, row.Scan(&f.Name, &f.Arguments, &f.Result, &f.Changes, &f.Comment, &f.Roles)
	})
}

// rooms are the rooms in the order of the reference, each with its subject.
var rooms = []struct{ name, title string }{
	{"kernel/template", "Templates and namespaces"},
	{"kernel/create", "Creation"},
	{"operate/inspect", "Tasks and steps"},
	{"kernel/claim", "Claims"},
	{"operate/workers", "Workers"},
	{"kernel/result", "Results"},
	{"operate/direct", "Calls of clients that send JSON"},
	{"kernel/timer", "Time"},
	{"kernel/move", "Evaluation"},
	{"features/waits", "Waits and signals"},
	{"features/broadcasts", "Events that many steps wait for"},
	{"features/children", "Tasks that steps start"},
	{"features/durable", "Durable functions"},
	{"features/streams", "Values and streams"},
	{"features/limits", "Limits"},
	{"features/runs", "Runs by key"},
	{"features/attributes", "Search attributes"},
	{"features/schedules", "Schedules"},
	{"features/triggers", "Events that start and cancel tasks"},
	{"features/sqlsteps", "Steps that are SQL"},
	{"features/feed", "The feed"},
	{"features/publishing", "Steps as messages"},
	{"operate/operators", "Operation"},
	{"operate/rerun", "Corrections"},
	{"operate/fork", "Forks"},
	{"operate/erase", "Erasures"},
	{"operate/export", "Tasks as documents"},
	{"operate/story", "The story of a run"},
	{"operate/deploy", "Before a deployment"},
	{"operate/explain", "Explanations"},
	{"operate/dead_letters", "Stale tasks and dead letters"},
	{"operate/audit", "Audit"},
	{"operate/analytics", "Analytics"},
	{"operate/maintain", "Maintenance"},
	{"operate/incidents", "Incidents"},
	{"operate/selections", "Selections"},
	{"operate/mass", "Mass actions"},
	{"operate/many", "Many at once"},
	{"operate/partitions", "Partitions"},
	{"operate/doctor", "Installation"},
	{"operate/administration", "Administration"},
	{"operate/tokens", "Access tokens"},
	{"operate/sessions", "Sign-in of people"},
	{"kernel/access", "Access"},
	{"kernel/setting", "Settings"},
	{"kernel/graph", "Graphs"},
	{"kernel/queue", "Queues"},
	{"kernel/notify", "Wake-ups"},
	{"kernel/state", "States"},
	{"kernel/ident", "Identifiers and the clock"},
	{"compat/orchestrator", "Orchestrators"},
	{"compat/transitions", "Transitions"},
	{"compat/readiness", "Readiness"},
	{"compat/states", "Predicates of states"},
}

// reference is docs/functions.md: every public function with its whole comment.
func reference(functions []function) string {
	var b strings.Builder
	for _, room := range rooms {
		heading := "## " + room.title + "\n\n"
		for _, f := range functions {
			if f.Room != room.name {
				continue
			}
			b.WriteString(heading)
			heading = ""
			fmt.Fprintf(&b, "### %s\n\n", f.Name)
			fmt.Fprintf(&b, "```sql\ntasker.%s(%s) returns %s%s\n```\n\n", f.Name, f.Arguments, f.Result, f.Changes)
			fmt.Fprintf(&b, "%s\n\n", f.Comment)
			if row := f.row(); row != "" {
				fmt.Fprintf(&b, "[Columns](#rows-of-%s). ", row)
			}
			fmt.Fprintf(&b, "For %s. [Definition](../db/schema/functions/%s/%s.sql), [tests](../pgtap/%s/%s).\n\n",
				f.Roles, f.Room, f.Name, f.Room, f.Name)
		}
	}
	return b.String()
}

// tasklibReference is the end of docs/tasklib.md: the public functions of that schema, in one list.
func tasklibReference(functions []function) string {
	var b strings.Builder
	for _, f := range functions {
		fmt.Fprintf(&b, "### %s\n\n", f.Name)
		fmt.Fprintf(&b, "```sql\ntasklib.%s(%s) returns %s%s\n```\n\n", f.Name, f.Arguments, f.Result, f.Changes)
		fmt.Fprintf(&b, "%s\n\n", f.Comment)
		fmt.Fprintf(&b, "For %s. [Definition](../db/schema/tasklib/functions/%s.sql), [tests](../pgtap/tasklib/%s).\n\n",
			f.Roles, f.Name, f.Name)
	}
	return b.String()
}
