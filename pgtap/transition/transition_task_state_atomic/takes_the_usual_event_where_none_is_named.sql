begin;
select plan(6);

prepare event as
  select v.event
    from tasker.task_transitions as v
   where v.task_uuid = tasker_test.the_task()
     and v.most_recent;

select tasker_test.make_task_in('blocked_by_failures');
select tasker.transition_task_state_atomic(tasker_test.the_task(), 'blocked_by_failures', 'error');
select results_eq('event', $$ values ('GiveUp') $$, 'blocked_by_failures to error is giving up');

select tasker_test.make_task_in('blocked_by_failures');
select tasker.transition_task_state_atomic(
  tasker_test.the_task(), 'blocked_by_failures', 'error', null, '{"event": "Timeout"}'
);
select results_eq('event', $$ values ('Timeout') $$, 'unless the caller says that time is up');

select tasker_test.make_task_in('enqueuing_steps');
select tasker.transition_task_state_atomic(tasker_test.the_task(), 'enqueuing_steps', 'error');
select results_eq('event', $$ values ('EnqueueFailed') $$, 'enqueuing_steps to error is a failure to enqueue');

select tasker_test.make_task_in('steps_in_process');
select tasker.transition_task_state_atomic(tasker_test.the_task(), 'steps_in_process', 'evaluating_results');
select results_eq(
  'event',
  $$ values ('StepCompleted') $$, 'steps_in_process to evaluating_results is the completion of a step'
);

select tasker_test.make_task_in('steps_in_process');
select tasker.transition_task_state_atomic(
  tasker_test.the_task(), 'steps_in_process', 'evaluating_results', null, '{"event": "AllStepsCompleted"}'
);
select results_eq('event', $$ values ('AllStepsCompleted') $$, 'unless the caller says that of all');

select tasker_test.make_task_in('steps_in_process');
select tasker.transition_task_state_atomic(tasker_test.the_task(), 'steps_in_process', 'error');
select results_eq('event', $$ values ('Timeout') $$, 'steps_in_process to error can only be a timeout');

select * from finish();
rollback;
