begin;
select plan(4);

select tasker_test.freeze('2040-01-01 12:00:00+00');
select tasker.ensure_partitions();
select tasker.register_worker('00000000-0000-0000-0000-0000000000c1', 'worker one');
select tasker_test.create_task();
select tasker_test.claim('top');
select tasker_test.fail_for_good('top', false, 'the bank is closed');
select tasker_test.pass('1 hour');
select tasker.fire_due_timers();
select tasker_test.claim('top');
select tasker_test.pass('1 minute');
select tasker_test.finish('top', '{"amount": 42}');

select results_eq(
  $$
  select a.recorded_at, a.success, a.claim_no, a.execution_time_ms, a.worker_uuid, a.worker_name, a.error, a.results,
         a.event, a.from_state::text, a.to_state::text, a.namespace, a.task_name, a.step_name, a.handler
    from tasker.get_step_audit_history(tasker_test.the_step('top')) as a
  $$,
  $$
  values
    (
      timestamptz '2040-01-01 13:01:00+00', true, 2, 7::bigint, '00000000-0000-0000-0000-0000000000c1'::uuid, 'worker one',
      null, '{"amount": 42}'::jsonb, 'EnqueueForOrchestration', 'in_progress', 'enqueued_for_orchestration',
      'test', 'diamond', 'top', 'top'
    ), (
      '2040-01-01 12:00:00+00', false, 1, 0, '00000000-0000-0000-0000-0000000000c1', 'worker one',
      'the bank is closed', null, 'EnqueueForOrchestration', 'in_progress', 'enqueued_as_error_for_orchestration',
      'test', 'diamond', 'top', 'top'
    )
  $$,
  'it returns the success and then the earlier failure'
);
select is(
  (select count(*) from tasker.get_step_audit_history(tasker_test.the_step('top')) as a where a.correlation_id = tasker_test.the_task()),
  2::bigint, 'each row has the correlation ID of its task'
);
select is_empty($$ select from tasker.get_step_audit_history(tasker_test.the_step('left')) $$, 'it returns no row for a step that has not run');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
