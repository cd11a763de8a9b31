package plantest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// ended creates 20,000 complete tasks. Each task has a result of another request, and each tenth task has tags. There are also
// a failed task and a cancelled task.
const ended = `
	select tasker.register_task_template('{"namespace": "now", "name": "rare", "identity_strategy": "always_unique", "steps": [{"name": "top"}]}');
	select tasker_test.make_task_in('error');
	select tasker_test.make_task_in('cancelled');
	set session_replication_role = replica;
	create temporary table made as
	select tasker.task_uuid_of(tasker.uuid_generate_v7()) as task_uuid, k.named_task_uuid, n
	  from tasker.named_tasks as k
	 cross join generate_series(1, 20000) as n
	 where k.name = 'diamond'
	   and k.task_namespace_uuid = (select s.task_namespace_uuid from tasker.task_namespaces as s where s.name = 'now');
	insert into tasker.tasks (task_uuid, named_task_uuid, state, complete, total_steps, transition_count, completed_at, correlation_id, tags)
	select m.task_uuid, m.named_task_uuid, 'complete', true, 1, 2, tasker.clock(), m.task_uuid,
	       case when m.n % 10 = 0 then array['web', 'customer-' || m.n] else '{}' end
	  from made as m;
	insert into tasker.task_log (task_uuid, sort_key, path)
	select m.task_uuid, 2, 9 -- AllStepsSuccessful
	  from made as m;
	insert into tasker.step_log (task_uuid, step_no, sort_key, path, metadata)
	select m.task_uuid, 1, 1, 5, -- EnqueueForOrchestration
	       jsonb_build_object('correlation_id', '00000000-0000-0000-0000-000000000001', 'no', m.n)
	  from made as m;
	set session_replication_role = origin`

// TestLists_ReadNoMoreThanTheyFind counts the rows that go through each node. A filter that few or no tasks match must use an
// index instead of reading all tasks. Only statistics can tell which of two filters is the selective one, and that many tasks
// match.
func TestLists_ReadNoMoreThanTheyFind(t *testing.T) {
	t.Parallel()
	for _, analyzed := range []bool{false, true} {
		t.Run(map[bool]string{false: "statistics never taken", true: "statistics taken"}[analyzed], func(t *testing.T) {
			t.Parallel()
			db := newRecorder(t, pgtest.New(t))
			register(t, db)
			db.must(t, ended)
			if analyzed {
				analyze(t, db)
			}
			db.must(t, "set auto_explain.log_analyze = on")
			db.must(t, "set auto_explain.log_timing = off")
			check := func(call string, expected int, selective bool) {
				found := 0
				plans := db.record(t, func() {
					require.NoError(t, db.QueryRow(t.Context(), "select count(*) from tasker."+call).Scan(&found))
				})
				require.Equal(t, expected, found, call)
				require.NotEmpty(t, plans, "the recorder lacks plans of statements that ran")
				for _, p := range plans {
					p.Root.any(func(n node) bool {
						if n.seen() > 3000 && selective {
							t.Errorf("%s: %.0f rows went through a %s of %s:\n%s", call, n.seen(), n.Type, n.Relation, p.Query)
						}
						return false
					})
				}
			}
			for _, list := range []struct {
				filter string
				found  int
			}{
				{"p_limit => 20", 20},
				{"p_state => 'error'", 1},
				{"p_state => 'cancelled'", 1},
				{"p_state => 'resolved_manually'", 0},
				{"p_state => 'error', p_name => 'diamond'", 1},
				{"p_state => 'error', p_namespace => 'nowhere'", 0},
				{"p_state => 'blocked_by_failures'", 0},
				{"p_state => 'error', p_error => 'none', p_where => '$.none'", 0},
				{"p_tags => '{customer-20}', p_where => '$.none'", 0},
				{"p_tags => '{nothing}'", 0},
				{"p_tags => '{nothing}', p_requested_after => now() - interval '30 days'", 0},
				{"p_tags => '{customer-20}'", 1},
				{"p_tags => '{web,customer-20}'", 1},
				{"p_tags => '{web}', p_limit => 20", 20},
				{"p_tags => '{web}', p_state => 'error'", 0},
				{"p_tags => '{}', p_limit => 20", 20},
				{"p_namespace => 'late'", 0},
				{"p_namespace => 'nowhere'", 0},
				{"p_namespace => 'now', p_name => 'rare'", 0},
				{"p_namespace => 'now', p_name => 'diamond', p_version => '9.9.9'", 0},
				{"p_namespace => 'now', p_name => 'diamond', p_limit => 20", 20},
				{"p_correlation_id => gen_random_uuid()", 0},
				{"p_parent_task_uuid => tasker.task_uuid_of(tasker.uuid_generate_v7())", 0},
			} {
				check("list_tasks("+list.filter+")", list.found, analyzed || strings.Count(list.filter, "p_") == 1) // Each tenth task has a tag.
			}
			check("get_audit_by_correlation_id(gen_random_uuid())", 0, true)
		})
	}
}
