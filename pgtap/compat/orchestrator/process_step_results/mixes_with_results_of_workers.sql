begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.register('pair', 'a', 'b', 'c a b');
select tasker_test.launch('pair');
select from tasker_test.claim();
select ok(tasker_test.record('a'), 'a direct transition records one result');
select is(tasker_test.complete('b'), 'completed', 'a worker completes the other step at once');
select is(tasker.process_step_results(), 1, 'one result is left to the orchestrator');
select is((select array_agg(c.name) from tasker_test.claim() as c), '{c}', 'the task continues');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
