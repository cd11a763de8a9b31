begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.register('wide', 'a', 'b');
select tasker_test.launch('wide');
select from tasker_test.claim();
select tasker_test.pass('1 minute');
select results_eq(
  $$ select c.claim_no, c.attempt, c.lost_count from tasker.claim_step(tasker_test.the_step('a'), tasker_test.worker(2)) as c $$,
  $$ values (2, 1, 1) $$, 'the claim takes the step over and counts the loss'
);
select is((select a.answer::text from tasker.complete_steps(array[tasker_test.the_step('a')], '{1}') as a), 'stale', 'a result of the old claim is stale');
select is(tasker_test.complete('a'), 'completed', 'a result of the new claim is accepted');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
