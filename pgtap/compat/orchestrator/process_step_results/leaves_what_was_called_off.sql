begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.register('pair', 'a', 'b');
select tasker_test.launch('pair');
select from tasker_test.claim();
select tasker_test.record('a');
select tasker.cancel_task(tasker_test.the_task(), 'me', 'enough');
select is(tasker.process_step_results(), 0, 'a recorded result of a cancelled task is not processed');
select is(tasker_test.the_state(), 'cancelled', 'the task stays cancelled');
select is(tasker_test.complete('b'), 'cancelled', 'a later result is told that the step was cancelled');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
