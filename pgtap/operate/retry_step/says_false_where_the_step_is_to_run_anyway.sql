begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.run('top');
select tasker_test.claim('right');

select tasker_test.remember_rows();
select is(tasker.retry_step(tasker_test.the_step('bottom')), false, 'a pending step');
select is(tasker.retry_step(tasker_test.the_step('left')), false, 'an enqueued one');
select is(tasker.retry_step(tasker_test.the_step('right')), false, 'a running one');
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select tasker_test.fail_for_good('right');
select ok(tasker.retry_step(tasker_test.the_step('right')), 'a failed one is retried');
select tasker_test.remember_rows();
select is(tasker.retry_step(tasker_test.the_step('right'), 'me too', 'bob'), false, 'the same call again');
select is_empty('select tasker_test.changed_tables()', 'changes nothing');

select * from finish();
rollback;
