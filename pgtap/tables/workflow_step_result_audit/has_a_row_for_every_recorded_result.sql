begin;
select plan(4);

select tasker_test.freeze('2050-01-20 12:00:00+00');
select tasker.ensure_partitions();
select tasker_test.start_task();

prepare audit (text) as
  select a.sort_key, a.recorded_at, a.worker_uuid, a.correlation_id, a.success, a.execution_time_ms
    from tasker.workflow_step_result_audit as a
   where a.task_uuid = tasker_test.the_task()
     and a.step_no = tasker.step_no_of(tasker_test.the_step($1))
   order by a.sort_key;

-- A worker fails, another one succeeds.
select tasker.transition_step_state_atomic(
  tasker_test.the_step('top'), 'enqueued', 'in_progress', '00000000-0000-0000-0000-00000000000a'
);
select tasker_test.pass('3 seconds');
select tasker.transition_step_state_atomic(
  tasker_test.the_step('top'), 'in_progress', 'enqueued_as_error_for_orchestration', null,
  '{"execution_time_ms": 2900, "backoff_seconds": 0}'
);
select tasker_test.move_step(tasker_test.the_step('top'), 'waiting_for_retry', 'pending', 'enqueued');
select tasker.transition_step_state_atomic(
  tasker_test.the_step('top'), 'enqueued', 'in_progress', '00000000-0000-0000-0000-00000000000b'
);
select tasker_test.pass('7 seconds');
select tasker.transition_step_state_atomic(
  tasker_test.the_step('top'), 'in_progress', 'enqueued_for_orchestration', null, '{"execution_time_ms": 6900, "results": {}}'
);
select tasker_test.move_step(tasker_test.the_step('top'), 'complete');

select results_eq(
  $$ execute audit ('top') $$,
  $$
  values
    (3, timestamptz '2050-01-20 12:00:03+00', '00000000-0000-0000-0000-00000000000a'::uuid, tasker_test.the_task(), false, 2900::bigint),
    (8, timestamptz '2050-01-20 12:00:10+00', '00000000-0000-0000-0000-00000000000b'::uuid, tasker_test.the_task(), true, 6900::bigint)
  $$,
  'the failure and the success have their worker, time and correlation'
);

-- An operator enters a result.
select tasker.transition_step_state_atomic(
  tasker_test.the_step('left'), 'pending', 'complete', '00000000-0000-0000-0000-00000000000c', '{"results": {"paid": true}}'
);
select results_eq(
  $$ execute audit ('left') $$,
  $$
  values (1, timestamptz '2050-01-20 12:00:10+00', '00000000-0000-0000-0000-00000000000c'::uuid, tasker_test.the_task(), true, null::bigint)
  $$,
  'a result that an operator entered has the UUID that the call gave'
);

-- A step without a result has no audit row.
select tasker_test.move_step(tasker_test.the_step('right'), 'enqueued', 'in_progress', 'enqueued', 'in_progress', 'resolved_manually');
select is_empty($$ execute audit ('right') $$, 'a step that was released and then resolved has no audit row');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
