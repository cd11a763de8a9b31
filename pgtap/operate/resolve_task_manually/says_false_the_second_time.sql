begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.make_task_in('blocked_by_failures');

select ok(tasker.resolve_task_manually(tasker_test.the_task(), 'done by mail', 'ann'), 'the first call');
select tasker_test.remember_rows();
select is(tasker.resolve_task_manually(tasker_test.the_task(), 'by phone', 'bob'), false, 'somebody else''s call after it');
select is_empty('select tasker_test.changed_tables()', 'changes nothing');

select * from finish();
rollback;
