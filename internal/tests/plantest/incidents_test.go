package plantest_test

import (
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// ofIncidents matches the names that only incidents use: their tables, and their functions in the text of a statement.
var ofIncidents = regexp.MustCompile(`^(?:error|incident)_|\b(?:mask_error|error_fingerprint|note_failures|error_(?:causes|counts|hours|steps|stands))\b`)

// TestResults_CostNoStatementForIncidents counts the statements inside calls that record results. The duty finds failures in
// the log, so no statement of such a call is for incidents, and failures with 100 texts make as many statements as failures
// with one text.
func TestResults_CostNoStatementForIncidents(t *testing.T) {
	t.Parallel()
	const steps = 100
	db := newRecorder(t, pgtest.New(t))
	db.must(t, "select tasker_test.freeze(now())")
	db.must(t, `select tasker.register_task_template('{"namespace": "now", "name": "one", "identity_strategy": "always_unique", "steps": [{"name": "a"}]}')`)
	db.must(t, `select tasker.create_tasks('now', 'one', array_fill('{}'::jsonb, array[$1::integer]))`, 7*steps)
	// record returns how many statements the results of 100 steps make.
	record := func(sql string) int {
		taken := claim(t, db, steps)
		require.Len(t, taken, steps)
		plans := db.record(t, func() { send(t, db, sql, taken) })
		require.Greater(t, len(plans), 3, "the recorder lacks plans of statements that ran")
		for _, p := range plans {
			require.False(t, p.ofIncidents(), "%s: %s", sql, p.Query)
		}
		return len(plans)
	}
	record(`select tasker.complete_steps($1, $2)`)
	for _, sql := range []string{
		`select tasker.fail_steps($1, $2, %s)`,
		`select tasker.fail_steps($1, $2, %s, array_fill(true, array[cardinality($1::uuid[])]))`,
	} {
		text := func(text string) string {
			return fmt.Sprintf(sql, "(select array_agg("+text+") from generate_series(1, cardinality($1::uuid[])) as n)")
		}
		record(text(`'no'::text`)) // The first call of a session reads settings.
		require.Equal(t, record(text(`'no'::text`)), record(text(`'status ' || 400 + n || repeat(' it', n)`)), sql)
	}
	// The duty runs such statements, so the test would find them.
	require.True(t, slices.ContainsFunc(db.record(t, func() { db.must(t, `select tasker.note_failures(1000)`) }), plan.ofIncidents))
}

func (p plan) ofIncidents() bool {
	return ofIncidents.MatchString(p.Query) || p.Root.any(func(n node) bool { return ofIncidents.MatchString(n.Relation) })
}
