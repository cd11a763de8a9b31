begin;
select plan(4);

create temporary table tasks as select tasker_test.start_task() as task_uuid from generate_series(1, 3);
select tasker_test.complete_step(tasker_test.the_step('top'));

select results_eq(
  $$ select r.* from tasker.get_step_readiness_status_batch((select array_agg(t.task_uuid) from tasks as t)) as r $$,
  $$
  select r.*
    from tasks as t
   cross join lateral tasker.get_step_readiness_status(t.task_uuid) as r
   order by r.workflow_step_uuid
  $$,
  'the same rows, by task'
);
select is(
  (select count(*) from tasker.get_step_readiness_status_batch((select array_agg(t.task_uuid) || array_agg(t.task_uuid) from tasks as t))),
  12::bigint, 'a task named twice is reported once'
);
select is(
  (select count(*) from tasker.get_step_readiness_status_batch((select array_agg(t.task_uuid) || array[null, gen_random_uuid()] from tasks as t))),
  12::bigint, 'one that there is not has no rows'
);
select is(
  (select count(*) from tasker.get_step_readiness_status_batch(null)) + (select count(*) from tasker.get_step_readiness_status_batch('{}')),
  0::bigint, 'null and empty arrays return no rows'
);

select * from finish();
rollback;
