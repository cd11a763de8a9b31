begin;
select plan(5);

prepare owner as
  select t.processor_uuid from tasker.tasks as t where t.task_uuid = tasker_test.the_task();

select tasker_test.make_task();
select tasker.transition_task_state_atomic(
  tasker_test.the_task(), 'pending', 'initializing', '00000000-0000-0000-0000-00000000000a'
);
select results_eq(
  'owner',
  $$ values ('00000000-0000-0000-0000-00000000000a'::uuid) $$, 'the processor that moves a task into an active state owns it'
);

select tasker.transition_task_state_atomic(
  tasker_test.the_task(), 'initializing', 'enqueuing_steps', '00000000-0000-0000-0000-00000000000b'
);
select results_eq(
  'owner',
  $$ values ('00000000-0000-0000-0000-00000000000b'::uuid) $$, 'another processor may take it over, because ownership is only recorded'
);

select tasker_test.move_step(tasker_test.the_step('top'), 'enqueued');
select tasker.transition_task_state_atomic(tasker_test.the_task(), 'enqueuing_steps', 'steps_in_process');
select results_eq('owner', $$ values (null::uuid) $$, 'a caller without a processor leaves the task without an owner');

select tasker.transition_task_state_atomic(
  tasker_test.the_task(), 'steps_in_process', 'evaluating_results', '00000000-0000-0000-0000-00000000000a'
);
select tasker.transition_task_state_atomic(
  tasker_test.the_task(), 'evaluating_results', 'waiting_for_dependencies', '00000000-0000-0000-0000-00000000000a'
);
select results_eq('owner', $$ values (null::uuid) $$, 'a task in a state that is not active has no owner');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
