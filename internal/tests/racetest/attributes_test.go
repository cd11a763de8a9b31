package racetest

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

const (
	attribute = "select coalesce(string_agg(a.name || '=' || (a.value #>> '{}') || coalesce(' of ' || a.step, ''), ', '), 'none') from tasker.get_task_attributes(array['%s'::uuid]) as a"
	written   = "select coalesce(jsonb_agg(to_jsonb(a) - 'changed_at' order by a.attribute_no), '[]')::text from tasker.task_attributes as a where a.task_uuid = '%s'"
)

// Two steps set one attribute, and the input sets it first. Each call waits for the preceding call, and the later call wins.
// The attributes must be the attributes that the input and the results set, in the order of completion, and check_integrity
// must agree.
func TestAttributes_TheLaterOfTwoChangesHasTheLastWord(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	replayed(t, pool)
	_, err := pool.Exec(t.Context(), `select tasker.register_task_template('{"namespace": "shop", "name": "sale", "identity_strategy": "always_unique",
		"attributes": {"total": {"type": "number", "context": "$.total", "results": {"a": "$.total", "b": "$.total"}}}, "steps": [{"name": "a"}, {"name": "b"}, {"name": "c"}]}')`)
	require.NoError(t, err)
	calls := map[string]string{
		"a":      `select tasker.complete_step_by_name('%s', 'a', '{"total": 10}')::text`,
		"b":      `select tasker.complete_step_by_name('%s', 'b', '{"total": 20}')::text`,
		"change": `select tasker.change_task('%s', p_context => '{"total": 2}', p_reason => 'wrong total')::text`,
		"remove": `select tasker.change_task('%s', p_context => '{}', p_reason => 'no total')::text`,
	}
	alone := map[string]string{"a": "total=10 of a", "b": "total=20 of b", "change": "total=2", "remove": "none"}
	for _, pair := range [][2]string{
		{"a", "b"}, {"b", "a"}, {"a", "change"}, {"change", "a"}, {"b", "remove"}, {"remove", "b"}, {"change", "remove"}, {"remove", "change"},
	} {
		for _, commits := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s then %s, commits %t", pair[0], pair[1], commits), func(t *testing.T) {
				task := text(t, pool, `select task_uuid::text from tasker.create_task('shop', 'sale', '{"total": 1}')`)
				first, second := begin(t, pool), begin(t, pool)
				var answer string
				require.NoError(t, first.QueryRow(t.Context(), fmt.Sprintf(calls[pair[0]], task)).Scan(&answer))
				require.Equal(t, "true", answer)
				// The second transaction begins before the first transaction ends.
				later := async(t, second, fmt.Sprintf(calls[pair[1]], task))
				pgtest.WaitBlocked(t, pool, second.Conn().PgConn().PID())
				want := alone[pair[1]]
				if commits {
					require.NoError(t, first.Commit(t.Context()))
					if result := alone[pair[0]]; (pair[0] == "a" || pair[0] == "b") && pair[1] != "a" && pair[1] != "b" {
						want = result // A result overrides every input.
					}
				} else {
					require.NoError(t, first.Rollback(t.Context()))
				}
				require.Equal(t, outcome{text: "true"}, <-later)
				require.NoError(t, second.Commit(t.Context()))
				require.Equal(t, want, text(t, pool, fmt.Sprintf(attribute, task)))
				requireRenewable(t, begin(t, pool), task)
			})
		}
	}
}

// requireRenewable writes the attributes of a task again, from its input and its results, and compares them with the attributes
// that the task had.
func requireRenewable(t *testing.T, tx pgx.Tx, task string) {
	t.Helper()
	var before, after string
	require.NoError(t, tx.QueryRow(t.Context(), fmt.Sprintf(written, task)).Scan(&before))
	_, err := tx.Exec(t.Context(), "select tasker.renew_attributes($1)", task)
	require.NoError(t, err)
	require.NoError(t, tx.QueryRow(t.Context(), fmt.Sprintf(written, task)).Scan(&after))
	require.Equal(t, after, before)
	require.Zero(t, counted(t, tx, "select count(*) from tasker.check_integrity() as p where p.object in ('task_attributes', 'tasks')"))
	require.NoError(t, tx.Rollback(t.Context()))
}
