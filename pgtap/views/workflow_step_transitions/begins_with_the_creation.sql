begin;
select plan(3);

select tasker_test.freeze('2050-01-20 12:00:00+00');
select tasker.ensure_partitions();
select tasker_test.make_task();

prepare history as
  select v.step_no, v.sort_key, v.event, v.from_state::text, v.to_state::text, v.claim_no, v.actor, v.most_recent, v.created_at
    from tasker.workflow_step_transitions as v
   where v.task_uuid = tasker_test.the_task()
     and v.workflow_step_uuid in (tasker_test.the_step('top'), tasker_test.the_step('left'))
   order by v.step_no, v.sort_key;

select results_eq(
  'history',
  $$
  values
    (1, 0, 'Create', null::text, 'pending', 0, null::text, true, timestamptz '2050-01-20 12:00:00+00'),
    (2, 0, 'Create', null, 'pending', 0, null, true, timestamptz '2050-01-20 12:00:00+00')
  $$,
  'a new step has one row, its creation'
);

select tasker_test.pass('5 minutes');
select tasker_test.move_task(tasker_test.the_task(), 'initializing', 'enqueuing_steps');
select tasker_test.call_as(
  'tasker_operator', $$ select tasker_test.move_step(tasker_test.the_step('top'), 'enqueued', 'in_progress') $$
);
select results_eq(
  'history',
  $$
  values
    (1, 0, 'Create', null, 'pending', 0, null, false, timestamptz '2050-01-20 12:00:00+00'),
    (1, 1, 'Enqueue', 'pending', 'enqueued', 0, 'tasker_operator', false, timestamptz '2050-01-20 12:05:00+00'),
    (1, 2, 'Start', 'enqueued', 'in_progress', 1, 'tasker_operator', true, timestamptz '2050-01-20 12:05:00+00'),
    (2, 0, 'Create', null, 'pending', 0, null, true, timestamptz '2050-01-20 12:00:00+00')
  $$,
  'the creation remains the first row'
);
select is_empty(
  $$
  select v.sort_key
    from tasker.workflow_step_transitions as v
   where v.task_uuid = tasker_test.the_task()
     and (v.transition_metadata is distinct from v.metadata or v.updated_at is distinct from v.created_at)
  $$,
  'the aliases transition_metadata and updated_at have the same values'
);

select * from finish();
rollback;
