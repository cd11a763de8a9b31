package upgradetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/schema"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// fill leaves tasks in several states in a database.
func fill(t testing.TB, pool *pgxpool.Pool) {
	t.Helper()
	for _, sql := range []string{
		`select tasker.register_task_template('{"namespace": "shop", "name": "order", "identity_strategy": "always_unique", "steps": [
		   {"name": "first"}, {"name": "second", "dependencies": ["first"], "await": {"signal": "paid"}},
		   {"name": "third", "dependencies": ["first"]}]}')`,
		`select tasker.create_tasks('shop', 'order', array_fill('{"amount": 3}'::jsonb, array[200]))`,
		`select tasker.complete_steps(array_agg(c.step_uuid), array_agg(c.claim_no)) from tasker.claim_steps(null, gen_random_uuid(), 150) as c`,
		`select tasker.fail_steps(array_agg(c.step_uuid), array_agg(c.claim_no), array_agg('broken'::text), array_agg(true))
		   from tasker.claim_steps(null, gen_random_uuid(), 20) as c`,
	} {
		_, err := pool.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
}

const (
	listWorkers   = "functions/operate/workers/list_workers.sql"
	workerDetails = "rows/operate/workers/worker_details.sql"
)

func replaced(old, changed string) func(string) string {
	return func(text string) string {
		if !strings.Contains(text, old) {
			panic(fmt.Sprintf("the text to replace is not there any more: %q", old))
		}
		return strings.ReplaceAll(text, old, changed)
	}
}

func allOf(edits ...func(string) string) func(string) string {
	return func(text string) string {
		for _, edit := range edits {
			text = edit(text)
		}
		return text
	}
}

func without(old string) func(string) string { return replaced(old, "") }

// longer has the changes of a release: an argument with a default, a column at the end of a row, a function with another effect,
// a new function and a new table.
var longer = edits{
	listWorkers: allOf(
		replaced("(p_seen_within interval default null)", "(p_seen_within interval default null, p_version text default null)"),
		replaced("    w.version::text\n", "    w.version::text,\n    tasker.clock() - w.last_seen_at\n"),
		replaced("  where (p_seen_within", "  where (p_version is null or w.version = p_version)\n    and (p_seen_within"),
	),
	workerDetails: replaced("  null::text as version\n", "  null::text as version,\n  null::interval as silent_for\n"),
	"functions/kernel/move/private/apply_move.sql": replaced("begin\n", "begin\n  -- A later release says something here.\n"),
	"tables/operate/sessions/later_notes.sql": func(string) string {
		return "create table tasker.later_notes (\n  task_uuid  uuid  not null,\n  note       text  not null\n);\n"
	},
	"functions/operate/workers/count_workers.sql": func(string) string {
		return "create or replace function tasker.count_workers()\n  returns bigint\n  language sql\n  stable\n  security definer\n" +
			"  set search_path = pg_catalog, pg_temp\nas $$\n  select count(*) from tasker.workers;\n$$;\n\n" +
			"comment on function tasker.count_workers is 'Counts the workers.';\n\n" +
			"grant execute on function tasker.count_workers to tasker_reader;\n"
	},
	"schema.sql": func(text string) string {
		const line = "\\ir functions/operate/workers/list_workers.sql\n"
		return strings.Replace(text, line,
			"\\ir tables/operate/sessions/later_notes.sql\n"+line+"\\ir functions/operate/workers/count_workers.sql\n", 1)
	},
}

const (
	longerUp = `alter table tasker.tasks add column note text;
alter table tasker.tasks add column weight integer not null default 1;
alter table tasker.workflow_steps add constraint later_check check (step_no > 0) not valid;`
	longerDown = `alter table tasker.workflow_steps drop constraint later_check;
alter table tasker.tasks drop column weight;
alter table tasker.tasks drop column note;`
)

// judged composes a later migration, judges its up part and then its down part, and leaves no trace of the migration.
func judged(t testing.TB, pool *pgxpool.Pool, edits edits, handUp, handDown string) (up, down []string) {
	t.Helper()
	m := compose(t, edits, handUp, handDown)
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { require.NoError(t, tx.Rollback(t.Context())) }()
	up = judge(t, tx, m.up)
	down = judge(t, tx, m.down)
	return up, down
}

func TestLater_TheRulesFindEachKindThatBlocksOrLoses(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	fill(t, pool)
	for name, c := range map[string]struct {
		edits    edits
		hand     string
		handDown string
		want     []string
	}{
		"a column whose default is computed for each row": {
			hand:     "alter table tasker.tasks add column note uuid default gen_random_uuid();",
			handDown: "alter table tasker.tasks drop column note;",
			want:     []string{"rewrites tasker.tasks_"},
		},
		"a type that is stored in another form": {
			hand:     "alter table tasker.timers alter column xact type numeric;",
			handDown: "alter table tasker.timers alter column xact type bigint;",
			want:     []string{"rewrites tasker.timers"},
		},
		"a constraint that reads all rows": {
			hand:     "alter table tasker.workflow_steps add constraint later_check check (step_no > 0);",
			handDown: "alter table tasker.workflow_steps drop constraint later_check;",
			want:     []string{"reads tasker.workflow_steps_"},
		},
		"an index of a table that grows": {
			hand:     "create index later_idx on tasker.tasks (requested_at);",
			handDown: "drop index tasker.later_idx;",
			want:     []string{"reads tasker.tasks_"},
		},
		"rows that are filled in": {
			hand:     "update tasker.tasks set tags = tags || '{later}';",
			handDown: "update tasker.tasks set tags = array_remove(tags, 'later');",
			want:     []string{"rows of tasker.tasks_"},
		},
		"a function that is gone": {
			edits: edits{
				"schema.sql": without("\\ir functions/operate/workers/list_workers.sql\n"),
				"functions/operate/workers/list_workers.sql": func(string) string { return "" },
			},
			want: []string{"takes tasker.list_workers(p_seen_within interval) away"},
		},
		"an argument with another name": {
			edits: edits{listWorkers: replaced("p_seen_within", "p_seen_in")},
			want:  []string{"takes tasker.list_workers(p_seen_within interval) away"},
		},
		"an argument that every call must have": {
			edits: edits{listWorkers: replaced("(p_seen_within interval default null)", "(p_seen_within interval, p_version text)")},
			want:  []string{"takes tasker.list_workers(p_seen_within interval) away"},
		},
		"a column in the middle of a row": {
			edits: edits{
				workerDetails: replaced("  ''::text as login,\n", "  null::text as host,\n  ''::text as login,\n"),
				listWorkers:   replaced("    w.login,\n", "    null::text,\n    w.login,\n"),
			},
			want: []string{"takes tasker.list_workers(p_seen_within interval) away"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			up, _ := judged(t, pool, c.edits, c.hand, c.handDown)
			require.NotEmpty(t, up)
			for _, want := range c.want {
				require.Contains(t, strings.Join(up, "\n"), want)
			}
		})
	}
}

func TestLater_TheRulesAllowWhatReleasesDo(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	fill(t, pool)
	up, _ := judged(t, pool, longer, longerUp, longerDown)
	require.Empty(t, up)

	up, _ = judged(t, pool, edits{"functions/operate/workers/list_workers.sql": replaced("begin\n", "begin\n  -- Later.\n")}, "", "")
	require.Empty(t, up, "a function that does something else")
}

// A constraint is proven in a transaction of its own, under a lock that no writer waits for.
func TestLater_TheRulesAllowAConstraintThatIsProvenByItself(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	fill(t, pool)
	_, err := pool.Exec(t.Context(), "alter table tasker.workflow_steps add constraint later_check check (step_no > 0) not valid")
	require.NoError(t, err)
	up, _ := judged(t, pool, nil, "alter table tasker.workflow_steps validate constraint later_check;", "-- Nothing to undo.")
	require.Empty(t, up)
}

func TestLater_AMigrationWaitsBrieflyForLocks(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	fill(t, pool)
	m := compose(t, nil, longerUp, longerDown)
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { require.NoError(t, tx.Rollback(t.Context())) }()
	_, text, found := strings.Cut(m.up, "\n")
	require.True(t, found)
	require.Contains(t, strings.Join(judge(t, tx, text), "\n"), "set a lock_timeout", "without its first line")
}

// Each migration after the first release is judged on the database that the earlier migrations made. Before the first release the
// tree's last migration counts as a later migration.
func TestLater_EachMigrationOfTheTreeKeepsTheRules(t *testing.T) {
	t.Parallel()
	tree, err := treeFiles()
	require.NoError(t, err)
	made, err := schema.Load(tree)
	require.NoError(t, err)
	releases, err := schema.Releases(t.Context(), root)
	require.NoError(t, err)
	first := len(made.Migrations) - 1
	if len(releases) > 0 {
		first = slices.IndexFunc(made.Migrations, func(m *schema.Migration) bool { return releases[0].Migrations[m.Path] == "" })
	}
	if first < 0 {
		return // No migration is newer than the first release.
	}
	pool := pgtest.NewEmpty(t)
	for n, m := range made.Migrations {
		require.NoError(t, pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error {
			if n < first {
				_, err := tx.Exec(t.Context(), m.Up.Text)
				return err
			}
			text := m.Up.Text
			if len(releases) == 0 {
				text = "set local lock_timeout = '2s';" + text // Initial migrations have none: nothing is at work.
			}
			require.Empty(t, judge(t, tx, text), m.Path)
			return nil
		}), m.Path)
		if n == first-1 {
			fill(t, pool)
		}
	}
}
