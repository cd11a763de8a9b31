begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.make_task_with_steps_in_every_state();

prepare event (text) as
  select v.event
    from tasker.workflow_step_transitions as v
   where v.workflow_step_uuid = tasker_test.the_step($1)
     and v.most_recent;

select tasker.transition_step_state_atomic(tasker_test.the_step('in_progress'), 'in_progress', 'enqueued');
select results_eq(
  $$ execute event ('in_progress') $$, $$ values ('Release') $$,
  'the default event from in_progress to enqueued is Release'
);

select tasker.transition_step_state_atomic(tasker_test.the_step('enqueued'), 'enqueued', 'in_progress');
select tasker_test.pass('1 hour');
select tasker.transition_step_state_atomic(
  tasker_test.the_step('enqueued'), 'in_progress', 'enqueued', null, '{"event": "LeaseExpired"}'
);
select results_eq(
  $$ execute event ('enqueued') $$, $$ values ('LeaseExpired') $$,
  'the caller may name LeaseExpired instead'
);

select tasker.transition_step_state_atomic(tasker_test.the_step('error'), 'error', 'pending');
select results_eq($$ execute event ('error') $$, $$ values ('Retry') $$, 'the default event from error to pending is Retry');

select tasker_test.fail_step(tasker_test.the_step('error'));
select tasker_test.move_step(tasker_test.the_step('error'), 'error');
select tasker.transition_step_state_atomic(
  tasker_test.the_step('error'), 'error', 'pending', null, '{"event": "Reset"}'
);
select results_eq($$ execute event ('error') $$, $$ values ('Reset') $$, 'the caller may name Reset instead');

select tasker.transition_step_state_atomic(tasker_test.the_step('pending'), 'pending', 'cancelled');
select results_eq($$ execute event ('pending') $$, $$ values ('Cancel') $$, 'the default event from pending to cancelled is Cancel');

select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
