begin;
select plan(2);

select tasker_test.freeze();
select tasker_test.make_task_in('blocked_by_failures');
select tasker_test.call_as('tasker_operator', 'select tasker.retry_step(tasker_test.the_step(''top''))');
select is(tasker_test.last_entry('top'), 'Retry by tasker_operator for -', 'the log names the caller''s role if no actor is given');

select tasker_test.make_task_in('blocked_by_failures');
select tasker.retry_step(tasker_test.the_step('top'), $$'); drop table tasker.tasks; --$$, '<b>ann</b>');
select is(
  tasker_test.last_entry('top'), $$Retry by <b>ann</b> for '); drop table tasker.tasks; --$$, 'hostile text is stored unchanged'
);

select * from finish();
rollback;
