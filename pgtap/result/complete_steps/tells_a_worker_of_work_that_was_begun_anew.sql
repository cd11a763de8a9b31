begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.register('pair', 'a', 'b');
select tasker_test.launch('pair');
select from tasker_test.claim();
select tasker_test.complete('b');
select tasker.cancel_task(tasker_test.the_task(), 'me', 'enough');
select is(tasker_test.complete('a'), 'cancelled', 'called off');
select tasker_test.launch('pair');
select from tasker_test.claim();
select tasker_test.fail('a', 'no', true);
select tasker.retry_step(tasker_test.the_step('a'), 'me', 'again');
select is((select a.answer from tasker.complete_steps(array[tasker_test.the_step('a')], '{1}') as a), 'stale', 'what an operator has put back into the queue waits for a new claim');
select results_eq('select c.claim_no, c.attempt from tasker_test.claim() as c', $$ values (2, 1) $$, 'which counts its attempts anew, its claims not');
select is((select a.answer from tasker.complete_steps(array[tasker_test.the_step('a')], '{1}') as a), 'stale', 'the old claim stays stale');
select is(tasker_test.complete('a'), 'completed', 'the new one counts');
select is_empty('select tasker_test.violations()', 'and every invariant holds');

select * from finish();
rollback;
