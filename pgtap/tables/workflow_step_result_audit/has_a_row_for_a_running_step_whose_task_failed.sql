begin;
select plan(2);

select tasker_test.freeze();
select tasker_test.start_task();
select tasker.transition_step_state_atomic(
  tasker_test.the_step('top'), 'enqueued', 'in_progress', '00000000-0000-0000-0000-00000000000a'
);
select tasker_test.move_task(tasker_test.the_task(), 'error');

select results_eq(
  $$
  select a.sort_key, a.worker_uuid, a.correlation_id, a.success
    from tasker.workflow_step_result_audit as a
   where a.task_uuid = tasker_test.the_task()
  $$,
  $$ values (3, '00000000-0000-0000-0000-00000000000a'::uuid, tasker_test.the_task(), false) $$,
  'the failure is recorded with the worker that had the step'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
