begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.make_task_in('blocked_by_failures');

select ok(tasker.give_up_task(tasker_test.the_task(), 'no hope', 'ann'), 'the first call returns true');
select tasker_test.remember_rows();
select is(tasker.give_up_task(tasker_test.the_task(), 'me too', 'bob'), false, 'another caller''s call after it returns false');
select is_empty('select tasker_test.changed_tables()', 'the second call changes no table');

select * from finish();
rollback;
