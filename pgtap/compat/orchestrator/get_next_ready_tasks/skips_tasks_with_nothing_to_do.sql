begin;
select plan(1);

select tasker_test.freeze();
select tasker_test.register_diamond();
-- Twenty tasks at the head have nothing to do, then comes one that can be started.
select tasker_test.make_task_in('waiting_for_dependencies') from generate_series(1, 20);
update tasker.workflow_steps set state = 'enqueued' where name = 'top';
select tasker_test.pass('2 hours');
select tasker_test.make_task();
select results_eq(
  'select r.task_uuid from tasker.get_next_ready_tasks(2) as r', 'select tasker_test.the_task()', 'it returns the task behind them'
);

select * from finish();
rollback;
