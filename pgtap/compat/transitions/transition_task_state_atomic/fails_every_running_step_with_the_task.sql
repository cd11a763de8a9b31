-- What runs or would run fails, so that a reset can bring it back. A result that is recorded is kept;
-- what has not started stays as it is.
begin;
select plan(9);

select tasker_test.freeze('2050-01-20 12:00:00+00');
select tasker.ensure_partitions();
select tasker_test.make_task_with_steps_in_every_state();
select tasker_test.pass('1 minute');

select ok(
  tasker_test.call_as('tasker_operator', $$
    select tasker.transition_task_state_atomic(
      tasker_test.the_task(), 'enqueuing_steps', 'error', null, '{"event": "Timeout", "reason": "the deadline has passed"}'
    )
  $$)::boolean,
  'the failure returns true'
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
    ('pending',                             'pending'),
    ('enqueued',                            'error'),
    ('in_progress',                         'error'),
    ('enqueued_for_orchestration',          'complete'),
    ('enqueued_as_error_for_orchestration', 'error'),
    ('waiting_for_retry',                   'error'),
    ('suspended',                           'error'),
    ('complete',                            'complete'),
    ('error',                               'error'),
    ('cancelled',                           'cancelled'),
    ('resolved_manually',                   'resolved_manually')
  $$,
  'steps in the pipeline fail, and settled steps keep their state'
);
select is_empty(
  $$
  select s.name, s.state
    from tasker.workflow_steps as s
   where s.task_uuid = tasker_test.the_task()
     and s.name like 'after%'
     and s.state is distinct from 'pending'
  $$,
  'pending children stay pending'
);
select results_eq(
  $$
  select l.event, l.from_state::text, l.to_state::text, l.actor, l.reason
    from tasker.workflow_step_transition_log as l
   where l.task_uuid = tasker_test.the_task()
     and l.step_no = tasker.step_no_of(tasker_test.the_step('in_progress'))
     and l.created_at = timestamptz '2050-01-20 12:01:00+00'
   order by l.sort_key
  $$,
  $$
  values
    ('EnqueueForOrchestration', 'in_progress', 'enqueued_as_error_for_orchestration', 'tasker_operator', null::text),
    ('Fail', 'enqueued_as_error_for_orchestration', 'error', 'tasker_operator', null)
  $$,
  'a running step''s log shows both transitions'
);
select is_empty(
  $$
  select s.name, s.last_error, s.last_failure_at
    from tasker.workflow_steps as s
   where s.task_uuid = tasker_test.the_task()
     and s.name in ('enqueued', 'in_progress', 'enqueued_as_error_for_orchestration', 'waiting_for_retry', 'suspended')
     and (s.last_error, s.last_failure_at) is distinct from ('the deadline has passed', timestamptz '2050-01-20 12:01:00+00')
  $$,
  'failed steps have the error and its time'
);
select is(
  (
    select s.processed_at
      from tasker.workflow_steps as s
     where s.workflow_step_uuid = tasker_test.the_step('enqueued_for_orchestration')
  ),
  '2050-01-20 12:01:00+00'::timestamptz,
  'a step with a recorded result has the time of its processing'
);
select is(
  (select count(*) from tasker.step_queue where task_uuid = tasker_test.the_task()), 0::bigint,
  'the queue is empty'
);
select is((select count(*) from tasker.timers where task_uuid = tasker_test.the_task()), 0::bigint, 'no timer is left');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
