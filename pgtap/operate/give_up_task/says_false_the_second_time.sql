begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.make_task_in('blocked_by_failures');

select ok(tasker.give_up_task(tasker_test.the_task(), 'no hope', 'ann'), 'the first call');
select tasker_test.remember_rows();
select is(tasker.give_up_task(tasker_test.the_task(), 'me too', 'bob'), false, 'somebody else''s call after it');
select is_empty('select tasker_test.changed_tables()', 'changes nothing');

select * from finish();
rollback;
