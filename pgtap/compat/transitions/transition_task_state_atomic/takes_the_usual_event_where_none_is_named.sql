begin;
select plan(6);

prepare event as
  select v.event
    from tasker.task_transitions as v
   where v.task_uuid = tasker_test.the_task()
     and v.most_recent;

select tasker_test.make_task_in('blocked_by_failures');
select tasker.transition_task_state_atomic(tasker_test.the_task(), 'blocked_by_failures', 'error');
select results_eq('event', $$ values ('GiveUp') $$, 'the default event from blocked_by_failures to error is GiveUp');

select tasker_test.make_task_in('blocked_by_failures');
select tasker.transition_task_state_atomic(
  tasker_test.the_task(), 'blocked_by_failures', 'error', null, '{"event": "Timeout"}'
);
select results_eq('event', $$ values ('Timeout') $$, 'the caller may name Timeout instead');

select tasker_test.make_task_in('enqueuing_steps');
select tasker.transition_task_state_atomic(tasker_test.the_task(), 'enqueuing_steps', 'error');
select results_eq('event', $$ values ('EnqueueFailed') $$, 'the default event from enqueuing_steps to error is EnqueueFailed');

select tasker_test.make_task_in('steps_in_process');
select tasker.transition_task_state_atomic(tasker_test.the_task(), 'steps_in_process', 'evaluating_results');
select results_eq(
  'event',
  $$ values ('StepCompleted') $$, 'the default event from steps_in_process to evaluating_results is StepCompleted'
);

select tasker_test.make_task_in('steps_in_process');
select tasker.transition_task_state_atomic(
  tasker_test.the_task(), 'steps_in_process', 'evaluating_results', null, '{"event": "AllStepsCompleted"}'
);
select results_eq('event', $$ values ('AllStepsCompleted') $$, 'the caller may name AllStepsCompleted instead');

select tasker_test.make_task_in('steps_in_process');
select tasker.transition_task_state_atomic(tasker_test.the_task(), 'steps_in_process', 'error');
select results_eq('event', $$ values ('Timeout') $$, 'the default event from steps_in_process to error is Timeout');

select * from finish();
rollback;
