begin;
select plan(6);

select tasker_test.freeze('2050-01-20 12:00:00+00');
select tasker.ensure_partitions();
select tasker_test.start_task();
update tasker.workflow_steps set backoff_base_seconds = 10 where task_uuid = tasker_test.the_task();

prepare wait as
  select s.next_retry_at, m.due_at, m.kind::text
    from tasker.workflow_steps as s
    join tasker.timers as m
      on m.task_uuid = s.task_uuid
     and m.step_no = s.step_no
   where s.workflow_step_uuid = tasker_test.the_step('top');

select tasker_test.fail_step(tasker_test.the_step('top'), '{"backoff_seconds": 4000}');
select tasker_test.move_step(tasker_test.the_step('top'), 'waiting_for_retry');
select results_eq(
  'wait',
  $$ values (timestamptz '2050-01-20 13:06:40+00', timestamptz '2050-01-20 13:06:40+00', 'retry_step') $$,
  'the step waits for exactly as long as its worker asked'
);

select tasker_test.pass('2 hours');
select tasker_test.move_step(tasker_test.the_step('top'), 'pending');
select is_empty('wait', 'a due step loses its timer');

select is(
  (
    select s.backoff_request_seconds is null
      from tasker.workflow_steps as s
     where s.workflow_step_uuid = tasker_test.the_step('top')
  ),
  true,
  'the request of the worker is deleted'
);

select tasker_test.fail_step(tasker_test.the_step('top'));
select tasker_test.move_step(tasker_test.the_step('top'), 'waiting_for_retry');
select is(
  (
    select s.next_retry_at <= tasker.clock() + interval '60 seconds'
      from tasker.workflow_steps as s
     where s.workflow_step_uuid = tasker_test.the_step('top')
  ),
  true,
  'the next failure waits by the policy'
);

select tasker_test.start_task();
select tasker_test.fail_step(tasker_test.the_step('top'), '{"backoff_seconds": 4000}');
select tasker.transition_step_state_atomic(
  tasker_test.the_step('top'), 'enqueued_as_error_for_orchestration', 'waiting_for_retry', null, '{"backoff_seconds": 5}'
);
select results_eq(
  'wait',
  $$ values (timestamptz '2050-01-20 14:00:05+00', timestamptz '2050-01-20 14:00:05+00', 'retry_step') $$,
  'the wait counts from the failure, whichever session records it'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
