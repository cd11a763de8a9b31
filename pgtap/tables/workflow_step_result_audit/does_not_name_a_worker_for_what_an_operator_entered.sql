-- A worker's attempt fails, and an operator enters the result. The audit must not name the worker for that result.
begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.start_task();
select tasker.transition_step_state_atomic(
  tasker_test.the_step('top'), 'enqueued', 'in_progress', '00000000-0000-0000-0000-00000000000a'
);
select tasker.transition_step_state_atomic(tasker_test.the_step('top'), 'in_progress', 'enqueued_as_error_for_orchestration');
select tasker_test.move_step(tasker_test.the_step('top'), 'error');
select tasker_test.call_as('tasker_operator', $$
  select tasker.transition_step_state_atomic(
    tasker_test.the_step('top'), 'error', 'complete', null, '{"results": {"paid": true}, "reason": "paid in cash"}'
  )
$$);

select results_eq(
  $$
  select a.success, a.worker_uuid
    from tasker.workflow_step_result_audit as a
   where a.task_uuid = tasker_test.the_task()
   order by a.sort_key
  $$,
  $$ values (false, '00000000-0000-0000-0000-00000000000a'::uuid), (true, null) $$,
  'the failure names the worker, and the result names none'
);
select results_eq(
  $$
  select l.actor, l.reason, l.worker_uuid
    from tasker.workflow_step_transition_log as l
   where l.task_uuid = tasker_test.the_task()
     and l.event = 'CompleteManually'
  $$,
  $$ values ('tasker_operator', 'paid in cash', null::uuid) $$,
  'the log names the operator and the reason'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
