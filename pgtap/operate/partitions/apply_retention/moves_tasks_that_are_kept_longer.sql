begin;
select plan(25);

select tasker_test.start_year('2050-03-02 12:00+00', '7 days', '21 days');
select tasker_test.make_old_task('41 days') as first \gset
select tasker_test.make_old_task('41 days') as second \gset
select tasker_test.register('short', 'only');
create function pg_temp.make_short(p_end boolean default true) returns uuid language plpgsql as $$
declare
  v_task uuid;
begin
  perform tasker_test.pass(-interval '41 days');
  v_task := tasker_test.start_task('short');
  if p_end then
    perform tasker_test.complete_step(tasker_test.step(v_task, 'only'));
    perform tasker_test.move_task(v_task, 'evaluating_results', 'complete');
  end if;
  perform tasker_test.pass(interval '41 days');
  return v_task;
end;
$$;
select pg_temp.make_short() as short \gset
select pg_temp.make_short(false) as open \gset
insert into tasker.task_identities (identity_hash, task_uuid)
select sha256(u.task::text::bytea), u.task
  from unnest(array[:'first', :'second', :'short', :'open']::uuid[]) as u (task);
-- Long ago for rollups.
select tasker.rebuild_analytics();
update tasker.task_totals set settled = true;
update tasker.step_totals set settled = true;
update tasker.rollup_state set settled_until = rolled_up_until;
select s.complete_tasks as tasks, s.complete_steps as steps from tasker.get_system_health_counts() as s \gset

create function pg_temp.rows_of(p_tasks uuid[]) returns text language sql as $$
  select md5(string_agg(x.row, ';' order by x.row))
    from (
      select g::text from unnest(p_tasks) as u (task) cross join lateral tasker.get_task(u.task) as g
      union all select s::text from tasker.workflow_steps as s where s.task_uuid = any (p_tasks)
      union all select l::text from tasker.task_transition_log as l where l.task_uuid = any (p_tasks)
      union all select l::text from tasker.workflow_step_transition_log as l where l.task_uuid = any (p_tasks)
      union all select a::text from tasker.workflow_step_result_audit as a where a.task_uuid = any (p_tasks)
      union all select l::text from tasker.task_log as l where l.task_uuid = any (p_tasks)
      union all select l::text from tasker.step_log as l where l.task_uuid = any (p_tasks)
      union all select i::text from tasker.task_identities as i where i.task_uuid = any (p_tasks)
      union all select w::text from tasker.get_work_totals() as w
    ) as x (row);
$$;
create function pg_temp.retained() returns text language sql as $$
  select string_agg(o.outcome || ' ' || o.detail, ', ') from tasker.apply_retention() as o;
$$;
select pg_temp.rows_of(array[:'first', :'second']::uuid[]) as before \gset

-- The identities are made up.
create temporary table before as select * from tasker.check_integrity();
select is((select count(*) from pg_temp.before as b where b.problem !~ 'identit'), 0::bigint, 'the audit finds no problem');
select results_eq(
  $$ select r.namespace, r.template, r.keep_for from tasker.set_retention('test', 'old', '60 days') as r $$,
  $$ values ('test', 'old', '60 days') $$, 'the tasks of a template are kept longer'
);
select is(pg_temp.retained(), 'moving begun', 'the range is not dropped; its move begins');
select is(
  (select o.detail from tasker.evacuate_partition('2050-01-17 00:00+00') as o),
  'tasks are kept longer: tasker.apply_retention() moves them, with the tasks that hold the range', 'an evacuation leaves them to the move'
);
select is_empty($$ select o.object from tasker.object_digests() as o where o.object like '%e1%' $$, 'the copies are no drift of the schema');
select is(pg_temp.retained(), 'moved 2 tasks moved to partitions _p20500117_e1', 'few tasks are moved at once');
select is(pg_temp.rows_of(array[:'first', :'second']::uuid[]), :'before', 'each reader sees what it saw before');
select results_eq(
  'select s.complete_tasks, s.complete_steps from tasker.get_system_health_counts() as s',
  format('values (%s::bigint, %s::bigint)', :'tasks'::bigint - 1, :'steps'::bigint - 1),
  'the counts of ended work lose the dropped task only'
);
select is_empty(format('select from tasker.tasks where task_uuid = %L', :'short'), 'a task of another template is dropped');
select isnt_empty(format('select from tasker.tasks where task_uuid = %L', :'open'), 'a task that has not ended is moved, too');
select is_empty($$ select tasker_test.violations(t.task_uuid) from tasker.tasks as t $$, 'every invariant holds');
select is_empty('select p.* from tasker.check_integrity() as p except select b.* from pg_temp.before as b', 'the audit finds no other problem');
select is_empty(
  $$
  select o.relname, t.tgname, t.tgenabled
    from pg_class as o
    join pg_trigger as t on t.tgrelid = o.oid and not t.tgisinternal
   where o.relname in (select p.table_name from tasker.partitioned_tables as p)
  except
  select replace(o.relname, '_p20500117_e1', ''), t.tgname, t.tgenabled
    from pg_class as o
    join pg_trigger as t on t.tgrelid = o.oid
   where o.relname like '%\_p20500117\_e1'
  $$,
  'the new partitions have the triggers of their tables'
);
select is_empty(
  $$ select from pg_class as c where c.relnamespace = 'tasker'::regnamespace and c.relkind = 'r' and c.relname like '%\_p20500117' $$,
  'the old partitions are dropped'
);
select is_empty($$ select from pg_constraint as c where c.conname = 'kept_range' $$, 'no constraint of the move stays');
select is_empty('select from tasker.kept_moves union all select from tasker.kept_changes', 'no row of the move stays');
select is(
  (select s.status || ': ' || s.detail from tasker.partition_sizes() as s where s.suffix = 'p20500117_e1'),
  'held: tasks: 1 not ended', 'the open task is still said to hold the range'
);
select is((select s.expired from tasker.partition_status() as s), 2, 'the range of kept tasks is not late');

-- Two empty ranges follow. The kept range stays.
select pg_temp.retained();
select pg_temp.retained();
select is(pg_temp.retained(), null, 'a call has nothing to do');
select tasker_test.complete_step(tasker_test.step(:'open', 'only'));
select tasker_test.move_task(:'open', 'evaluating_results', 'complete');
select is(
  (select s.status || ': ' || s.detail from tasker.partition_sizes() as s where s.suffix = 'p20500117_e1'),
  'kept: only tasks that are kept longer', 'the range is kept'
);
select is(tasker.gc_identities(), 1, 'identities of dropped tasks are deleted');
select is_empty($$ select from tasker.partition_ranges as r where r.evacuations > 0 and r.collected is distinct from r.to_uuid $$, 'they are looked for once');

select tasker_test.pass(interval '23 days');
select is(
  (select o.outcome || ' ' || o.detail from tasker.apply_retention() as o where o.starts_at = '2050-01-17 00:00+00'),
  'dropped partitions _p20500117_e1', 'the tasks go when their time is over'
);
select is_empty(format('select from tasker.tasks where task_uuid = %L', :'first'), 'they are gone');
select isnt_empty($$ select from tasker.partition_ranges $$, 'other ranges are there');

select * from finish();
rollback;
