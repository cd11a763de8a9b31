begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.run('top');
select tasker_test.claim('right');

select tasker_test.remember_rows();
select is(tasker.retry_step(tasker_test.the_step('bottom')), false, 'a pending step returns false');
select is(tasker.retry_step(tasker_test.the_step('left')), false, 'an enqueued step returns false');
select is(tasker.retry_step(tasker_test.the_step('right')), false, 'a running step returns false');
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select tasker_test.fail_for_good('right');
select ok(tasker.retry_step(tasker_test.the_step('right')), 'a failed step is retried');
select tasker_test.remember_rows();
select is(tasker.retry_step(tasker_test.the_step('right'), 'me too', 'bob'), false, 'a repeat returns false');
select is_empty('select tasker_test.changed_tables()', 'the repeat changes no table');

select * from finish();
rollback;
