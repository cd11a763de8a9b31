begin;
select plan(3);

select tasker_test.freeze('2050-01-20 12:00:00+00');
select tasker.ensure_partitions();
select tasker_test.register_diamond();
select set_config('tasker_test.task', c.task_uuid::text, true)
  from tasker.create_task('test', 'diamond', p_initiator => 'shop', p_reason => 'order 4711', p_deferred => true) as c;

prepare history as
  select v.sort_key, v.event, v.from_state::text, v.to_state::text, v.actor, v.reason, v.metadata, v.most_recent, v.created_at
    from tasker.task_transitions as v
   where v.task_uuid = tasker_test.the_task()
   order by v.sort_key;

select results_eq(
  'history',
  $$
  values (0, 'Create', null, 'pending', 'shop', 'order 4711', '{}'::jsonb, true, timestamptz '2050-01-20 12:00:00+00')
  $$,
  'a new task has one row, its creation'
);

select tasker_test.pass('5 minutes');
select tasker_test.call_as(
  'tasker_operator',
  $$
  select tasker.transition_task_state_atomic(
    tasker_test.the_task(), 'pending', 'initializing', null, '{"reason": "it is time", "shift": 2}'
  )
  $$
);
select results_eq(
  'history',
  $$
  values
    (0, 'Create', null, 'pending', 'shop', 'order 4711', '{}'::jsonb, false, timestamptz '2050-01-20 12:00:00+00'),
    (1, 'Start', 'pending', 'initializing', 'tasker_operator', 'it is time', '{"shift": 2}', true,
     timestamptz '2050-01-20 12:05:00+00')
  $$,
  'the creation remains the first row'
);
select is_empty(
  $$
  select v.sort_key
    from tasker.task_transitions as v
   where v.task_uuid = tasker_test.the_task()
     and (v.transition_metadata is distinct from v.metadata or v.updated_at is distinct from v.created_at)
  $$,
  'the aliases transition_metadata and updated_at have the same values'
);

select * from finish();
rollback;
