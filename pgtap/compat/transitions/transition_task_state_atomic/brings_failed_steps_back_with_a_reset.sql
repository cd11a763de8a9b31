begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.make_task_with_steps_in_every_state();
select tasker_test.move_task(tasker_test.the_task(), 'error');
update tasker.workflow_steps
   set lost_count = 3,
       backoff_request_seconds = 30
 where task_uuid = tasker_test.the_task()
   and state = 'error';

select ok(
  tasker.transition_task_state_atomic(tasker_test.the_task(), 'error', 'pending', null, '{"reason": "the bank is back"}'),
  'the reset returns true'
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
    ('enqueued',                            'pending'),
    ('in_progress',                         'pending'),
    ('enqueued_for_orchestration',          'complete'),
    ('enqueued_as_error_for_orchestration', 'pending'),
    ('waiting_for_retry',                   'pending'),
    ('suspended',                           'pending'),
    ('complete',                            'complete'),
    ('error',                               'pending'),
    ('cancelled',                           'cancelled'),
    ('resolved_manually',                   'resolved_manually')
  $$,
  'failed steps are pending again, and settled steps keep their state'
);
select is_empty(
  $$
  select s.name
    from tasker.workflow_steps as s
   where s.task_uuid = tasker_test.the_task()
     and s.name in ('enqueued', 'in_progress', 'enqueued_as_error_for_orchestration', 'waiting_for_retry', 'suspended', 'error')
     and (s.attempts, s.lost_count, s.backoff_request_seconds) is distinct from (0, 0, null::integer)
  $$,
  'their attempts, losses and requested backoffs are reset'
);
select is(
  (
    select s.claim_no
      from tasker.workflow_steps as s
     where s.workflow_step_uuid = tasker_test.the_step('in_progress')
  ),
  1,
  'the claim number is kept'
);
select is(
  (
    select count(*)
      from tasker.workflow_step_transition_log as l
     where l.task_uuid = tasker_test.the_task()
       and l.event = 'Reset'
       and l.reason is null
  ),
  6::bigint,
  'the logs of the steps have the reset without the reason'
);
select is(
  (select count(*) from tasker.step_queue where task_uuid = tasker_test.the_task()), 0::bigint,
  'no step is enqueued yet'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
