begin;
select plan(2);

select tasker_test.make_task();

select lives_ok(
  $$
  insert into tasker.step_log (task_uuid, step_no, sort_key, path, execution_time_ms)
  select tasker_test.the_task(), n, 1, 5, n
    from generate_series(1, 4) as n
  $$,
  'one statement inserts four results'
);
select set_eq(
  $$
  select a.execution_time_ms
    from tasker.workflow_step_result_audit as a
   where a.task_uuid = tasker_test.the_task()
  $$,
  array[1, 2, 3, 4]::bigint[],
  'each result has an audit row'
);

select * from finish();
rollback;
