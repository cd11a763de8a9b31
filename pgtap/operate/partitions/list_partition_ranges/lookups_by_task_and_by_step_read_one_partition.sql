-- However many ranges exist, a lookup reads the partition that the time of the key lies in, even with a generic plan.
begin;
select plan(5);

select tasker_test.start_year('2050-03-02 12:00+00', '1 day', '300 days');
update tasker.partition_config set premake = 15;
select tasker.ensure_partitions();
select tasker_test.start_task('old') as task \gset
set local plan_cache_mode = force_generic_plan;

prepare by_task (uuid) as select * from tasker.tasks as t where t.task_uuid = $1;
prepare by_step (uuid) as
  select * from tasker.workflow_steps as s
   where s.task_uuid = tasker.task_uuid_of($1) and s.step_no = tasker.step_no_of($1);
prepare history (uuid) as select * from tasker.task_transitions as l where l.task_uuid = $1;

create function pg_temp.partitions_read(p_sql text) returns bigint language sql as $$
  select count(distinct n ->> 'Relation Name') from tasker_test.plan_nodes(p_sql) as n
   where (n ->> 'Relation Name') ~ '_p[0-9]{8}'
     and coalesce((n ->> 'Actual Loops')::numeric, 1) > 0;
$$;

select is((select count(*) from tasker.partition_ranges), 16::bigint, 'there are sixteen ranges');
select is(pg_temp.partitions_read(format('execute by_task (%L)', :'task')), 1::bigint, 'a lookup by task reads one partition');
select is(
  pg_temp.partitions_read(format('execute by_step (%L)', tasker_test.step(:'task', 'only'))), 1::bigint, 'a lookup by step reads one partition'
);
select cmp_ok(
  pg_temp.partitions_read(format('execute history (%L)', :'task')), '<=', 2::bigint, 'a lookup of the history reads one partition of each table'
);
select is(
  pg_temp.partitions_read(format('update tasker.tasks set priority = 1 where task_uuid = %L', :'task')), 1::bigint,
  'an update of a task reads one partition'
);

select * from finish();
rollback;
