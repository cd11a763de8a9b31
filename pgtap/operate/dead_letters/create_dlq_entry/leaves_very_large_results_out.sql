begin;
select plan(1);

select tasker_test.start_task();
select tasker_test.complete_step(
  tasker_test.the_step('top'), (select jsonb_object_agg(i, md5(i::text)) from generate_series(1, 4000) as i)
);
select tasker.create_dlq_entry(tasker_test.the_task());
select cmp_ok(
  (select (d.task_snapshot #>> '{steps,0,results,omitted_bytes}')::integer from tasker.tasks_dlq as d), '>', 65536,
  'the snapshot has the size of results that were left out'
);

select * from finish();
rollback;
