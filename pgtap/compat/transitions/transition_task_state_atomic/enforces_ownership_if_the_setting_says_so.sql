begin;
select plan(9);

select tasker_test.make_task();
select tasker.set_setting('enforce_processor_ownership', 'true');

prepare move (text, text, uuid) as
  select tasker.transition_task_state_atomic(tasker_test.the_task(), $1, $2, $3);

select results_eq(
  $$ execute move ('pending', 'initializing', '00000000-0000-0000-0000-00000000000a') $$, 'values (true)',
  'an unowned task can be moved by any processor'
);

select tasker_test.remember_rows();
select results_eq(
  $$ execute move ('initializing', 'enqueuing_steps', '00000000-0000-0000-0000-00000000000b') $$, 'values (false)',
  'another processor cannot move an owned task'
);
select results_eq(
  $$ execute move ('initializing', 'enqueuing_steps', null) $$, 'values (false)',
  'a caller without a processor cannot move an owned task'
);
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select results_eq(
  $$ execute move ('initializing', 'enqueuing_steps', '00000000-0000-0000-0000-00000000000a') $$, 'values (true)',
  'the owner can move the task'
);
select results_eq(
  $$ execute move ('enqueuing_steps', 'cancelled', '00000000-0000-0000-0000-00000000000b') $$, 'values (false)',
  'another processor cannot cancel an owned task'
);

select tasker_test.make_task_in('waiting_for_dependencies');
select results_eq(
  $$ execute move ('waiting_for_dependencies', 'evaluating_results', '00000000-0000-0000-0000-00000000000b') $$, 'values (true)',
  'a waiting task can be moved by any processor'
);

select tasker.set_setting('enforce_processor_ownership', 'false');
select results_eq(
  $$ execute move ('evaluating_results', 'enqueuing_steps', '00000000-0000-0000-0000-00000000000a') $$, 'values (true)',
  'an owned task can be moved by any processor without the setting'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
