begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.register('pair', 'a', 'b');
select tasker_test.launch('pair');
select from tasker_test.claim();
create temporary table answers as
  select a.* from tasker.fail_steps(array[tasker_test.the_step('a'), tasker_test.the_step('b')], '{1,1}', '{no,no}', '{false,true}') as a;
select results_eq('select a.answer::text from answers as a', $$ values ('retrying'), ('failed') $$, 'one step will be retried, the other has failed for good');
select tasker_test.remember_rows();
select results_eq(
  $$ select a.* from tasker.fail_steps(array[tasker_test.the_step('a'), tasker_test.the_step('b')], '{1,1}', '{no,no}', '{false,true}') as a $$,
  'select a.* from answers as a', 'a repeat gets the same answers with the same time'
);
select is_empty('select tasker_test.changed_tables()', 'no table is changed');
select tasker_test.pass('1 minute');
select from tasker_test.claim();
select results_eq(
  $$ select a.answer::text from tasker.fail_steps(array[tasker_test.the_step('a')], '{1}', '{no}') as a $$, $$ values ('stale') $$, 'the failure is stale once the next attempt runs'
);

select * from finish();
rollback;
