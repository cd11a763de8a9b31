begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.register('wide', 'a', 'b', 'c');
select tasker_test.launch('wide');
select results_eq(
  $$ select c.step_uuid, c.name, c.claim_no, c.attempt, c.lease_until - tasker.clock(), c.context is not null
       from tasker.claim_step(tasker_test.the_step('b'), tasker_test.worker(), 30) as c $$,
  $$ values (tasker_test.the_step('b'), 'b', 1, 1, interval '30 seconds', true) $$, 'claim_step returns what claim_steps would'
);
select is_empty($$ select from tasker.claim_step(tasker_test.the_step('b'), tasker_test.worker()) $$, 'a step is not claimed twice by one worker');
select is_empty($$ select from tasker.claim_step(tasker_test.the_step('b'), tasker_test.worker(2)) $$, 'a step is not claimed by another worker');
select set_eq('select c.name from tasker_test.claim() as c', array['a', 'c'], 'the other steps are still in the queue');
select is(tasker_test.complete('b'), 'completed', 'the result of the step is accepted');
select is((select w.claimed_count from tasker.workers as w where w.worker_uuid = tasker_test.worker()), 3::bigint, 'the claim is counted for the worker');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
