begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.make_task_in('waiting_for_dependencies');
select tasker.create_dlq_entry(tasker_test.the_task(), p_notes => 'odd');
select tasker_test.pass('2 hours');
select results_eq(
  'select a.dlq_entry_uuid from tasker.detect_and_transition_stale_tasks(false) as a',
  'select d.dlq_entry_uuid from tasker.tasks_dlq as d', 'the stale task keeps its open investigation'
);
select is(tasker.get_current_task_state(tasker_test.the_task()), 'error', 'the stale task fails');
select is((select d.resolution_notes from tasker.tasks_dlq as d), 'odd', 'the investigation keeps its notes');

select * from finish();
rollback;
