package writerstest

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// TestWriters compares this tree with itself, with a tree that writes something else, and with a commit.
func TestWriters(t *testing.T) {
	t.Parallel()
	l := newLab(t)

	// A difference here comes from chance that the test does not control. It would be taken for a difference of the
	// writers.
	t.Run("are repeatable", func(t *testing.T) {
		t.Parallel()
		w := l.run(t, "", size{moves(t, 300), seed(t)}, "")
		requireNoProblems(t, w)
		for _, what := range []string{
			"tasker.task_transitions", "tasker.workflow_step_transitions", "tasker.workflow_step_result_audit", "get_task_history", "get_audit_by_time_range",
			"read_events",
		} {
			require.Positive(t, w.compared[what], what)
		}
	})

	// The two databases are migrated one by one, so their types have different numbers. A hash table with a value of an enum type has its
	// rows in an order that depends on these numbers. tasker.take_queue_rows takes groups of the queue in this order if they have waited
	// equally long.
	t.Run("group rows in the same order", func(t *testing.T) {
		t.Parallel()
		var types [2]uint32
		var orders [2][]string
		for i := range 2 {
			conn := l.connect(t, i, "")
			require.NoError(t, conn.QueryRow(t.Context(), "select 'tasker.queue_lane'::regtype::oid").Scan(&types[i]))
			rows, err := conn.Query(t.Context(), `
				select format('%s %s', lane, round)
				  from unnest(enum_range(null::tasker.queue_lane)) as lane
				 cross join generate_series(1, 2) as round
				 group by lane, round`)
			require.NoError(t, err)
			orders[i], err = pgx.CollectRows(rows, pgx.RowTo[string])
			require.NoError(t, err)
		}
		require.NotEqual(t, types[0], types[1], "the types of the two databases have different numbers")
		require.Equal(t, orders[0], orders[1])
	})

	// The other tree writes another event, and forgets an actor.
	t.Run("that write something else are found", func(t *testing.T) {
		t.Parallel()
		w := l.run(t, "", planted,
			wrap("resolve_step_manually", "p_step_uuid uuid, p_reason text default null, p_actor text default null", "tasker.complete_step_manually($1, '{}', $2, $3)")+
				wrap("complete_step_manually", "p_step_uuid uuid, p_results jsonb, p_reason text default null, p_actor text default null",
					"tasker.right_complete_step_manually($1, $2, $3, null)"))
		requireProblem(t, w, "tasker.workflow_step_transitions has a row that only the other tree has", `"event": "CompleteManually"`, "resolve_step_manually($1, $2, $3)")
		requireProblem(t, w, "tasker.workflow_step_transitions has a row that only this tree has", `"actor": "bob"`, "complete_step_manually($1, $2, $3, $4)")
		requireProblem(t, w, "get_task_history has a row that only this tree has", `"actor": "bob"`, "complete_step_manually($1, $2, $3, $4)")
	})

	// The other tree does the same, but answers that it did not.
	t.Run("that answer something else are found", func(t *testing.T) {
		t.Parallel()
		w := l.run(t, "", planted, wrap("retry_step", "p_step_uuid uuid, p_reason text default null, p_actor text default null", "not tasker.right_retry_step($1, $2, $3)"))
		requireProblem(t, w, "the answer is", "the other tree: ", "retry_step($1, $2, $3)")
	})

	t.Run("agree with the commit", func(t *testing.T) {
		t.Parallel()
		base := os.Getenv("PGTASKER_WRITERS_BASE")
		if base == "" {
			t.Skip("make test-writers BASE=… names the commit")
		}
		w := l.run(t, base, size{moves(t, 1000), seed(t)}, "")
		t.Logf("only one of the trees has, so it was not compared: %s", strings.Join(w.skipped, ", "))
		requireNoProblems(t, w)
	})
}

// size is the number of moves, and the seed that selects them.
type size struct {
	moves int
	seed  uint64
}

// planted are moves that meet the errors which the tests plant.
var planted = size{300, 1}

func requireNoProblems(t *testing.T, w *writer) {
	t.Helper()
	t.Logf("seed %d: %d moves, %d tasks, %d rows compared; calls: %v", seed(t), len(w.moves), w.tasks, sum(w.compared), w.names)
	for _, problem := range w.shown() {
		t.Error(problem)
	}
}

// requireProblem requires a difference that has all of these texts.
func requireProblem(t *testing.T, w *writer, texts ...string) {
	t.Helper()
	require.True(t, slices.ContainsFunc(w.problems, func(problem string) bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(problem, text) })
	}), "none has %q:\n%s", texts, strings.Join(w.shown(), "\n"))
}

// wrap replaces a function by a function that returns the value of an expression. The original function gets another name.
func wrap(function, parameters, expression string) string {
	return fmt.Sprintf(`
		alter function tasker.%[1]s rename to right_%[1]s;
		create function tasker.%[1]s(%[2]s) returns boolean language sql as $$ select %[3]s $$;
		select from tasker.note_objects();`, function, parameters, expression)
}

// moves returns the number of moves to make: PGTASKER_WRITERS_MOVES, or the given number.
func moves(t *testing.T, n int) int {
	t.Helper()
	if text := os.Getenv("PGTASKER_WRITERS_MOVES"); text != "" {
		given, err := strconv.Atoi(text)
		require.NoError(t, err)
		return given
	}
	return n
}

func seed(t *testing.T) uint64 {
	t.Helper()
	text := os.Getenv("PGTASKER_SEED")
	if text == "" {
		return 1
	}
	given, err := strconv.ParseUint(text, 10, 64)
	require.NoError(t, err)
	return given
}

func sum(counts map[string]int) (n int) {
	for count := range maps.Values(counts) {
		n += count
	}
	return n
}

// lab is a server with a migrated database for each tree. The sides are copies of these databases.
type lab struct {
	url   string
	begin time.Time

	mu        sync.Mutex
	templates map[string]string // by side and commit
	made      int
}

func newLab(t *testing.T) *lab {
	t.Helper()
	return &lab{url: pgtest.StartPrivate(t).URL, begin: time.Now().UTC().Truncate(time.Second), templates: map[string]string{}}
}

// connect connects to a new database with the schema of a commit, or of this tree if commit is empty. Each side is migrated by itself, also
// if both have the same schema, because a difference between two migrations would else be taken for a difference of a commit.
func (l *lab) connect(t *testing.T, side int, commit string) *pgx.Conn {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	template := fmt.Sprint(side, " ", commit)
	if l.templates[template] == "" {
		conn := l.create(t, "template0")
		require.NoError(t, migrate(t.Context(), conn, commit, l.begin), "the schema of %q", commit)
		l.templates[template] = conn.Config().Database
		require.NoError(t, conn.Close(t.Context()))
	}
	conn := l.create(t, l.templates[template])
	t.Cleanup(func() { require.NoError(t, conn.Close(context.Background())) })
	return conn
}

func (l *lab) create(t *testing.T, template string) *pgx.Conn {
	t.Helper()
	admin, err := pgx.Connect(t.Context(), l.url)
	require.NoError(t, err)
	l.made++
	config := admin.Config().Copy()
	config.Database = fmt.Sprint("writers_", l.made)
	_, err = admin.Exec(t.Context(), fmt.Sprintf("create database %s template %s strategy file_copy", config.Database, template))
	require.NoError(t, err)
	require.NoError(t, admin.Close(t.Context()))
	// Calls differ in their arguments' types, and a statement that is prepared once keeps the types of the first
	// call.
	config.DefaultQueryExecMode = pgx.QueryExecModeDescribeExec
	config.RuntimeParams["enable_hashagg"] = "off"
	conn, err := pgx.ConnectConfig(t.Context(), config)
	require.NoError(t, err)
	return conn
}

// run makes moves in this tree and in base, or in this tree again if base is empty, and compares the rows that they have
// left behind. spoil changes the other tree before.
func (l *lab) run(t *testing.T, base string, n size, spoil string) *writer {
	t.Helper()
	p := &pair{r: rand.New(rand.NewPCG(n.seed, 0)), now: l.begin, withoutFields: []string{}, can: map[string]bool{}, names: map[string]int{}, compared: map[string]int{}}
	p.sides[0] = newSide("this tree", l.connect(t, 0, ""))
	if p.sides[1] = newSide("the other tree", l.connect(t, 1, base)); base != "" {
		p.sides[1].name = base
	}
	for _, s := range p.sides {
		require.NoError(t, s.at(t.Context(), p.now, 0))
	}
	keepDeadRows(t, p.sides[1].conn.Config())
	require.NoError(t, p.sides[1].exec(t.Context(), spoil))
	w := &writer{pair: p}
	require.NoError(t, w.prepare(t.Context()))
	for len(p.moves) < n.moves && len(p.problems) == 0 {
		require.NoError(t, w.move(t.Context()))
	}
	require.NoError(t, p.compare(t.Context()))
	return w
}

// keepDeadRows holds a snapshot, so that the server does not reuse the places of deleted and replaced rows. The rows of this database then
// lie in other places than the rows of the other database. A call whose outcome depends on places then differs in each run, not in one of
// many.
func keepDeadRows(t *testing.T, config *pgx.ConnConfig) {
	t.Helper()
	conn, err := pgx.ConnectConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, conn.Close(context.Background())) })
	_, err = conn.Exec(t.Context(), "begin isolation level repeatable read; select from tasker.tasks")
	require.NoError(t, err)
}
