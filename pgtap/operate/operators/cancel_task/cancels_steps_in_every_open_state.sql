begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.make_task_with_steps_in_every_state();

select ok(tasker.cancel_task(tasker_test.the_task(), 'a duplicate', 'ann'), 'cancel_task returns true');
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
  select s.name
    from tasker.workflow_steps as s
   where s.task_uuid = tasker_test.the_task()
     and s.name like 'after%'
     and s.state is distinct from 'cancelled'
  $$,
  'pending children are cancelled'
);
select results_eq(
  $$
  select distinct l.actor, l.reason
    from tasker.workflow_step_transition_log as l
   where l.task_uuid = tasker_test.the_task()
     and l.event = 'Cancel'
     and l.actor = 'ann'
  $$,
  $$ values ('ann', null::text) $$,
  'the log of each step names the actor, and that of the task the reason'
);
select is_empty('select from tasker.timers where task_uuid = tasker_test.the_task()', 'no timer is left');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
