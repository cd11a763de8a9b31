begin;
select plan(2);

select tasker_test.freeze();
select tasker_test.make_task_in('blocked_by_failures');
select tasker.give_up_task(tasker_test.the_task(), $$'); --$$, 'ann');
select is(tasker_test.last_entry(), $$GiveUp by ann for '); --$$, 'the log has the actor and the reason');

select tasker_test.make_task_in('blocked_by_failures');
select tasker_test.call_as('tasker_operator', 'select tasker.give_up_task(tasker_test.the_task())');
select is(tasker_test.last_entry(), 'GiveUp by tasker_operator for -', 'the log names the caller''s role if no actor is given');

select * from finish();
rollback;
