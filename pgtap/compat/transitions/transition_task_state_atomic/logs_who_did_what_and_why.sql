begin;
select plan(3);

select tasker_test.freeze('2050-01-20 12:00:00+00');
select tasker.ensure_partitions();
select tasker_test.make_task();

select tasker_test.call_as('tasker_orchestrator', $$
  select tasker.transition_task_state_atomic(
    tasker_test.the_task(), 'pending', 'initializing', '00000000-0000-0000-0000-00000000000a', '{"ready": 1}'
  )
$$);
select tasker_test.pass('1 minute');
select tasker_test.call_as('tasker_operator', $$
  select tasker.transition_task_state_atomic(
    tasker_test.the_task(), 'initializing', 'cancelled', null,
    '{"event": "Cancel", "reason": "it''s \"over\"; drop schema tasker; --", "ticket": {"no": 4711}}'
  )
$$);

select results_eq(
  $$
  select l.sort_key, l.event, l.from_state::text, l.to_state::text, l.created_at
    from tasker.task_transition_log as l
   where l.task_uuid = tasker_test.the_task()
   order by l.sort_key
  $$,
  $$
  values
    (1, 'Start', 'pending', 'initializing', timestamptz '2050-01-20 12:00:00+00'),
    (2, 'Cancel', 'initializing', 'cancelled', timestamptz '2050-01-20 12:01:00+00')
  $$,
  'the log has each event with its time'
);
select results_eq(
  $$
  select l.sort_key, l.actor, l.processor_uuid
    from tasker.task_transition_log as l
   where l.task_uuid = tasker_test.the_task()
   order by l.sort_key
  $$,
  $$
  values
    (1, 'tasker_orchestrator', '00000000-0000-0000-0000-00000000000a'::uuid),
    (2, 'tasker_operator', null)
  $$,
  'the log has the actor and the processor'
);
select results_eq(
  $$
  select l.sort_key, l.reason, l.metadata
    from tasker.task_transition_log as l
   where l.task_uuid = tasker_test.the_task()
   order by l.sort_key
  $$,
  $$
  values
    (1, null, '{"ready": 1}'::jsonb),
    (2, 'it''s "over"; drop schema tasker; --', '{"ticket": {"no": 4711}}')
  $$,
  'the log has the reason and the other metadata'
);

select * from finish();
rollback;
