begin;
select plan(2);

select tasker_test.start_task();
delete from tasker.timers where task_uuid = tasker_test.the_task();

select tasker.add_step_edge(tasker_test.the_step('left'), tasker_test.the_step('right'));
select is(
  (select count(*) from tasker.timers where task_uuid = tasker_test.the_task() and kind = 'advance_task'),
  1::bigint,
  'the task is queued for an orchestrator'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
