begin;
select plan(5);

select tasker_test.freeze();

select tasker_test.create_task();
select tasker.cancel_task(tasker_test.the_task(), 'the customer called', 'ann');
select is(tasker_test.last_entry(), 'Cancel by ann for the customer called', 'the log has the actor and the reason');

select tasker_test.create_task();
select tasker_test.call_as('tasker_submitter', 'select tasker.cancel_task(tasker_test.the_task())');
select is(tasker_test.last_entry(), 'Cancel by tasker_submitter for -', 'the log names the caller''s role if no actor is given');
select is(tasker_test.last_entry('top'), 'Cancel by tasker_submitter for -', 'the logs of the steps name the actor, too');

select tasker_test.create_task();
select tasker.cancel_task(tasker_test.the_task(), $$'); drop table tasker.tasks; -- é	"$$, $$o'brien %s \$$);
select is(
  tasker_test.last_entry(), $$Cancel by o'brien %s \ for '); drop table tasker.tasks; -- é	"$$,
  'hostile text is stored unchanged'
);
select is(
  (select t.state::text from tasker.get_task(tasker_test.the_task()) as t), 'cancelled', 'hostile text is not executed'
);

select * from finish();
rollback;
