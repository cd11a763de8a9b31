begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.create_task();

select ok(tasker.cancel_task(tasker_test.the_task(), 'first', 'ann'), 'the first call returns true');
select tasker_test.remember_rows();
select is(tasker.cancel_task(tasker_test.the_task(), 'second', 'bob'), false, 'another caller''s call after it returns false');
select is(tasker.cancel_task(tasker_test.the_task(), 'first', 'ann'), false, 'a repeat returns false');
select is_empty('select tasker_test.changed_tables()', 'neither call changes a table');

select * from finish();
rollback;
