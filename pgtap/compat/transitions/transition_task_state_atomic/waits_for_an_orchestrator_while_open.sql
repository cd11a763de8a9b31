begin;
select plan(5);

prepare waiting as
  select m.kind::text from tasker.timers as m where m.task_uuid = tasker_test.the_task();

select tasker_test.make_task();
delete from tasker.timers where task_uuid = tasker_test.the_task();
select tasker_test.move_task(tasker_test.the_task(), 'initializing');
select results_eq('waiting', $$ values ('advance_task') $$, 'a direct call leaves the task to an orchestrator');

select tasker_test.move_task(tasker_test.the_task(), 'error');
select is_empty('waiting', 'an ended task waits for no orchestrator');

select tasker_test.move_task(tasker_test.the_task(), 'pending');
select results_eq('waiting', $$ values ('advance_task') $$, 'a reset task waits for an orchestrator');

select tasker_test.move_task(tasker_test.the_task(), 'cancelled');
select is_empty('waiting', 'it waits for none after the next end');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
