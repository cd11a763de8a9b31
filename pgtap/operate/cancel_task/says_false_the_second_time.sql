begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.create_task();

select ok(tasker.cancel_task(tasker_test.the_task(), 'first', 'ann'), 'the first call');
select tasker_test.remember_rows();
select is(tasker.cancel_task(tasker_test.the_task(), 'second', 'bob'), false, 'somebody else''s call after it');
select is(tasker.cancel_task(tasker_test.the_task(), 'first', 'ann'), false, 'the same call again');
select is_empty('select tasker_test.changed_tables()', 'neither changes anything');

select * from finish();
rollback;
