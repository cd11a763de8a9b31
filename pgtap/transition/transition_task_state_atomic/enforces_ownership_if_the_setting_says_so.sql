begin;
select plan(9);

select tasker_test.make_task();
select tasker.set_setting('enforce_processor_ownership', 'true');

prepare move (text, text, uuid) as
  select tasker.transition_task_state_atomic(tasker_test.the_task(), $1, $2, $3);

select results_eq(
  $$ execute move ('pending', 'initializing', '00000000-0000-0000-0000-00000000000a') $$, 'values (true)',
  'a task that nobody owns is free to claim'
);

select tasker_test.remember_rows();
select results_eq(
  $$ execute move ('initializing', 'enqueuing_steps', '00000000-0000-0000-0000-00000000000b') $$, 'values (false)',
  'another does not get it'
);
select results_eq(
  $$ execute move ('initializing', 'enqueuing_steps', null) $$, 'values (false)',
  'nor does somebody without a name'
);
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select results_eq(
  $$ execute move ('initializing', 'enqueuing_steps', '00000000-0000-0000-0000-00000000000a') $$, 'values (true)',
  'the owner moves it on'
);
select results_eq(
  $$ execute move ('enqueuing_steps', 'cancelled', '00000000-0000-0000-0000-00000000000b') $$, 'values (false)',
  'to cancel it, one must own it too'
);

select tasker_test.make_task_in('waiting_for_dependencies');
select results_eq(
  $$ execute move ('waiting_for_dependencies', 'evaluating_results', '00000000-0000-0000-0000-00000000000b') $$, 'values (true)',
  'a waiting task is free for anybody'
);

select tasker.set_setting('enforce_processor_ownership', 'false');
select results_eq(
  $$ execute move ('evaluating_results', 'enqueuing_steps', '00000000-0000-0000-0000-00000000000a') $$, 'values (true)',
  'without the setting so is every task'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
