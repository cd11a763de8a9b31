begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.make_task_in('blocked_by_failures');

select ok(tasker.resolve_task_manually(tasker_test.the_task(), 'done by mail', 'ann'), 'the first call returns true');
select tasker_test.remember_rows();
select is(tasker.resolve_task_manually(tasker_test.the_task(), 'by phone', 'bob'), false, 'another caller''s call after it returns false');
select is_empty('select tasker_test.changed_tables()', 'the second call changes no table');

select * from finish();
rollback;
