begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.register('pair', 'a', 'b');
select tasker_test.launch('pair');
select from tasker_test.claim();
select tasker_test.complete('b');
select tasker.cancel_task(tasker_test.the_task(), 'me', 'enough');
select is(tasker_test.complete('a'), 'cancelled', 'a result of a cancelled step is told so');
select tasker_test.launch('pair');
select from tasker_test.claim();
select tasker_test.fail('a', 'no', true);
select tasker.retry_step(tasker_test.the_step('a'), 'me', 'again');
select is((select a.answer::text from tasker.complete_steps(array[tasker_test.the_step('a')], '{1}') as a), 'stale', 'a result of a step that an operator has enqueued again is stale');
select results_eq('select c.claim_no, c.attempt from tasker_test.claim() as c', $$ values (2, 1) $$, 'the new claim counts attempts from one, and continues the claim numbers');
select is((select a.answer::text from tasker.complete_steps(array[tasker_test.the_step('a')], '{1}') as a), 'stale', 'the old claim is still stale');
select is(tasker_test.complete('a'), 'completed', 'the result of the new claim is accepted');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
