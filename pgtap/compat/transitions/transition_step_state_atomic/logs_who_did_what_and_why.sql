begin;
select plan(3);

select tasker_test.freeze('2050-01-20 12:00:00+00');
select tasker.ensure_partitions();
select tasker_test.start_task();

-- A worker claims, fails and is followed by an operator who gives up.
select tasker_test.call_as('tasker_orchestrator', $$
  select tasker.transition_step_state_atomic(
    tasker_test.the_step('top'), 'enqueued', 'in_progress', '00000000-0000-0000-0000-00000000000a'
  )
$$);
select tasker_test.pass('2 seconds');
select tasker_test.call_as('tasker_orchestrator', $$
  select tasker.transition_step_state_atomic(
    tasker_test.the_step('top'), 'in_progress', 'enqueued_as_error_for_orchestration', null,
    '{"error": "no such card", "execution_time_ms": 1900, "backoff_seconds": 30, "host": "w1"}'
  )
$$);
select tasker_test.pass('1 minute');
select tasker_test.call_as('tasker_operator', $$
  select tasker.transition_step_state_atomic(
    tasker_test.the_step('top'), 'enqueued_as_error_for_orchestration', 'error', '00000000-0000-0000-0000-00000000000c',
    '{"event": "Fail", "reason": "the customer has gone"}'
  )
$$);

select results_eq(
  $$
  select l.sort_key, l.event, l.from_state::text, l.to_state::text, l.created_at
    from tasker.workflow_step_transition_log as l
   where l.task_uuid = tasker_test.the_task()
     and l.sort_key > 1
   order by l.sort_key
  $$,
  $$
  values
    (2, 'Start', 'enqueued', 'in_progress', timestamptz '2050-01-20 12:00:00+00'),
    (3, 'EnqueueForOrchestration', 'in_progress', 'enqueued_as_error_for_orchestration', timestamptz '2050-01-20 12:00:02+00'),
    (4, 'Fail', 'enqueued_as_error_for_orchestration', 'error', timestamptz '2050-01-20 12:01:02+00')
  $$,
  'the log has each event with its time'
);
select results_eq(
  $$
  select l.sort_key, l.actor, l.worker_uuid, l.claim_no, l.execution_time_ms
    from tasker.workflow_step_transition_log as l
   where l.task_uuid = tasker_test.the_task()
     and l.sort_key > 1
   order by l.sort_key
  $$,
  $$
  values
    (2, 'tasker_orchestrator', '00000000-0000-0000-0000-00000000000a'::uuid, 1, null::bigint),
    (3, 'tasker_orchestrator', '00000000-0000-0000-0000-00000000000a', 1, 1900),
    (4, 'tasker_operator', '00000000-0000-0000-0000-00000000000c', 1, null)
  $$,
  'the log has the actor, the worker, the claim number and the duration'
);
select results_eq(
  $$
  select l.sort_key, l.reason, l.metadata
    from tasker.workflow_step_transition_log as l
   where l.task_uuid = tasker_test.the_task()
     and l.sort_key > 1
   order by l.sort_key
  $$,
  $$
  values
    (2, null, null),
    (3, null, '{"error": "no such card", "backoff_seconds": 30, "host": "w1"}'::jsonb),
    (4, 'the customer has gone', null)
  $$,
  'the log has the reason and the other metadata'
);

select * from finish();
rollback;
