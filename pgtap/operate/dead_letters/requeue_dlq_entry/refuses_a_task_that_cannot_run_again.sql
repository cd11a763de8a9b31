begin;
select plan(2);

select tasker_test.make_task_in('cancelled');
select tasker.create_dlq_entry(tasker_test.the_task());
select throws_ok(
  'select tasker.requeue_dlq_entry(d.dlq_entry_uuid) from tasker.tasks_dlq as d',
  'TK409', format('task %s cannot run again: it is cancelled', tasker_test.the_task()), 'a cancelled task is refused'
);
select is((select d.resolution_status from tasker.tasks_dlq as d), 'pending', 'its investigation stays open');

select * from finish();
rollback;
