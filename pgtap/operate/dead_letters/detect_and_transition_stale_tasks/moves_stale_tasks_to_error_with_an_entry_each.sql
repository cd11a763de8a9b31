begin;
select plan(8);

select tasker_test.freeze();
select tasker_test.make_task_in(s::text) from unnest(enum_range(null::tasker.task_state)) as s;
create temporary table before as select t.task_uuid, t.state from tasker.tasks as t where not t.complete;
select tasker_test.pass('2 days');
create temporary table moved as select * from tasker.detect_and_transition_stale_tasks(false);
select results_eq(
  'select m.task_uuid, m.current_state from moved as m order by m.task_uuid',
  'select b.task_uuid, b.state from before as b order by b.task_uuid', 'all eight tasks are returned with their former states'
);
select set_eq('select m.action_taken from moved as m', array['transitioned_to_dlq_and_error'], 'each task gets an entry and fails');
select is_empty('select from tasker.tasks as t where not t.complete', 'every task is in error');
select set_eq(
  $$ select m.task_uuid, m.dlq_entry_uuid, m.current_state, m.dlq_reason from moved as m $$,
  $$ select d.task_uuid, d.dlq_entry_uuid, d.original_state, d.dlq_reason from tasker.tasks_dlq as d $$, 'each task has an entry'
);
select is_empty('select tasker_test.violations(t.task_uuid) from tasker.tasks as t', 'every invariant holds');
select set_eq(
  $$ select l.event, l.metadata ->> 'dlq_reason'
       from tasker.task_transition_log as l
       join moved as m on m.task_uuid = l.task_uuid
       join tasker.tasks as t on t.task_uuid = l.task_uuid and t.transition_count = l.sort_key $$,
  $$ select 'Timeout', m.dlq_reason from moved as m $$, 'the log has the reason of the entry'
);
select is_empty('select from tasker.detect_and_transition_stale_tasks(false)', 'a second call finds nothing');
select tasker_test.make_task_in('waiting_for_dependencies');
select tasker_test.make_task_in('waiting_for_dependencies');
select tasker_test.pass('2 days');
select is((select count(*) from tasker.detect_and_transition_stale_tasks(false, 1)), 1::bigint, 'p_limit limits the tasks');

select * from finish();
rollback;
