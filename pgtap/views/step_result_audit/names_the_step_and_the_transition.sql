begin;
select plan(2);

select tasker_test.start_task();
select tasker_test.complete_step(tasker_test.the_step('top'));

select results_eq(
  $$
  select a.workflow_step_uuid, v.event, v.to_state::text, a.success, a.recorded_at = v.created_at
    from tasker.step_result_audit as a
    join tasker.workflow_step_transitions as v
      on v.task_uuid = a.task_uuid
     and v.workflow_step_transition_uuid = a.workflow_step_transition_uuid
   where a.task_uuid = tasker_test.the_task()
  $$,
  $$ values (tasker_test.the_step('top'), 'EnqueueForOrchestration', 'enqueued_for_orchestration', true, true) $$,
  'a result has the UUID of its row in the view of transitions'
);
select is(
  tasker_test.call_as(
    'tasker_reader', format('select count(*) from tasker.step_result_audit where task_uuid = %L', tasker_test.the_task())
  ),
  '1',
  'a reader may query the view'
);

select * from finish();
rollback;
