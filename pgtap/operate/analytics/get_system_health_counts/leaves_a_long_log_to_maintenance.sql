-- The number of log rows that are read has a bound, also if most of them are transitions of tasks.
begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.launch();
select tasker_test.drain();
select tasker.refresh_analytics();
create function pg_temp.log(p_rows integer, p_from integer)
  returns void
  language sql
as $$
  insert into tasker.task_log (task_uuid, sort_key, path, created_at)
  select tasker_test.the_task(), p_from + n, 18, tasker.clock() from generate_series(1, p_rows) as n;
$$;

select pg_temp.log(15000, 1000);
select is(tasker.fresh_since(), '-infinity'::timestamptz, 'fresh_since returns the end of the settled period if the logs are short');
select tasker_test.buffers('select * from tasker.get_system_health_counts()') as first \gset
select tasker_test.buffers('select * from tasker.get_system_health_counts()') as counted \gset
select pg_temp.log(15000, 100000);
select is(tasker.fresh_since(), null, 'fresh_since is null if the logs have more than 20,000 new rows');
select results_eq(
  'select h.complete_tasks, h.rolled_up_until = tasker.clock() from tasker.get_system_health_counts() as h',
  'values (1::bigint, true)', 'the totals are as of the last rollup'
);
select cmp_ok(
  tasker_test.buffers('select * from tasker.get_system_health_counts()'), '<=', :counted::bigint,
  'the totals cost no more than counting half as many rows'
);

select * from finish();
rollback;
