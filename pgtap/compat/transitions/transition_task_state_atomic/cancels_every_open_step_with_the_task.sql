begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.make_task_with_steps_in_every_state();

select ok(
  tasker_test.call_as('tasker_operator', $$
    select tasker.transition_task_state_atomic(
      tasker_test.the_task(), 'enqueuing_steps', 'cancelled', null, '{"reason": "the order was withdrawn"}'
    )
  $$)::boolean,
  'the cancellation returns true'
);
select results_eq(
  $$
  select s.name, s.state::text
    from tasker.workflow_steps as s
   where s.task_uuid = tasker_test.the_task()
     and s.name not like 'after%'
   order by s.step_no
  $$,
  $$
  values
    ('pending',                             'cancelled'),
    ('enqueued',                            'cancelled'),
    ('in_progress',                         'cancelled'),
    ('enqueued_for_orchestration',          'cancelled'),
    ('enqueued_as_error_for_orchestration', 'cancelled'),
    ('waiting_for_retry',                   'cancelled'),
    ('suspended',                           'cancelled'),
    ('complete',                            'complete'),
    ('error',                               'error'),
    ('cancelled',                           'cancelled'),
    ('resolved_manually',                   'resolved_manually')
  $$,
  'open steps are cancelled, and settled steps keep their state'
);
select is_empty(
  $$
  select s.name, s.state
    from tasker.workflow_steps as s
   where s.task_uuid = tasker_test.the_task()
     and s.name like 'after%'
     and s.state is distinct from 'cancelled'
  $$,
  'pending children are cancelled'
);
select is(
  (
    select count(*)
      from tasker.workflow_step_transition_log as l
     where l.task_uuid = tasker_test.the_task()
       and l.event = 'Cancel'
       and l.actor = 'tasker_operator'
       and l.reason is null
  ),
  18::bigint,
  'the logs of the steps have the actor without the reason'
);
select is(
  (select count(*) from tasker.step_queue where task_uuid = tasker_test.the_task()), 0::bigint,
  'the queue is empty'
);
select is((select count(*) from tasker.timers where task_uuid = tasker_test.the_task()), 0::bigint, 'no timer is left');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
