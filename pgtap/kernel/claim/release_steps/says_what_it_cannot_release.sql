begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.register('wide', 'a', 'done', 'failed', 'cancelled', 'never done');
select tasker_test.launch('wide');
select from tasker_test.claim();
select tasker_test.complete('done');
select tasker_test.fail('failed');
select tasker_test.move_step(tasker_test.the_step('cancelled'), 'cancelled');
select tasker_test.remember_rows();
select results_eq(
  $$ select r.step_uuid, r.answer::text
       from tasker.release_steps(
         array[tasker_test.the_step('cancelled'), tasker_test.the_step('done'), '01980000-0000-7000-8000-000000000001', tasker_test.the_step('failed'),
               tasker_test.the_step('a'), tasker_test.the_step('never')],
         '{1,1,1,1,2,0}'
       ) as r $$,
  $$ values
    (tasker_test.the_step('cancelled'), 'cancelled'), (tasker_test.the_step('done'), 'stale'),
    ('01980000-0000-7000-8000-000000000001', 'not_found'), (tasker_test.the_step('failed'), 'stale'),
    (tasker_test.the_step('a'), 'stale'), (tasker_test.the_step('never'), 'stale') $$,
  'each step is answered, in order'
);
select is_empty('select tasker_test.changed_tables()', 'no table is changed');
select is((select r.answer::text from tasker.release_steps(array[tasker_test.the_step('a')], '{1}') as r), 'released', 'the current claim is released');
select tasker_test.remember_rows();
select is((select r.answer::text from tasker.release_steps(array[tasker_test.the_step('a')], '{1}') as r), 'stale', 'a second release is stale');
select is_empty('select tasker_test.changed_tables()', 'the second release changes no table');

select * from finish();
rollback;
