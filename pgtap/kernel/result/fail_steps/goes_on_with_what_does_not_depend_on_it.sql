begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.register('two', 'bad', 'good', 'after_bad bad', 'after_good good', 'both bad good');
select tasker_test.launch('two');
select from tasker_test.claim();
select tasker_test.fail('bad', 'no', true);
select is(tasker_test.the_state(), 'steps_in_process', 'the other branch runs');
select tasker_test.complete('good');
select is(tasker_test.the_steps(), 'bad error, good complete, after_bad pending, after_good enqueued, both pending', 'the next step of the other branch is enqueued');
select is(tasker_test.drain(), 1::bigint, 'the other branch completes');
select is(tasker_test.the_state(), 'blocked_by_failures', 'the task is blocked');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
