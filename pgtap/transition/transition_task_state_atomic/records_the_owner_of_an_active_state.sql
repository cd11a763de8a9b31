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
  $$ values ('00000000-0000-0000-0000-00000000000a'::uuid) $$, 'who moves a task into an active state owns it'
);

select tasker.transition_task_state_atomic(
  tasker_test.the_task(), 'initializing', 'enqueuing_steps', '00000000-0000-0000-0000-00000000000b'
);
select results_eq(
  'owner',
  $$ values ('00000000-0000-0000-0000-00000000000b'::uuid) $$, 'another may take it over: ownership is recorded, not enforced'
);

select tasker_test.move_step(tasker_test.the_step('top'), 'enqueued');
select tasker.transition_task_state_atomic(tasker_test.the_task(), 'enqueuing_steps', 'steps_in_process');
select results_eq('owner', $$ values (null::uuid) $$, 'who does not say who they are leaves it to nobody');

select tasker.transition_task_state_atomic(
  tasker_test.the_task(), 'steps_in_process', 'evaluating_results', '00000000-0000-0000-0000-00000000000a'
);
select tasker.transition_task_state_atomic(
  tasker_test.the_task(), 'evaluating_results', 'waiting_for_dependencies', '00000000-0000-0000-0000-00000000000a'
);
select results_eq('owner', $$ values (null::uuid) $$, 'in a state that is not active nobody owns it');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
