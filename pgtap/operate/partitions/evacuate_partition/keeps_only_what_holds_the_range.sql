begin;
select plan(12);

select tasker_test.start_year('2050-03-02 12:00+00', '7 days', '21 days');
select tasker_test.make_old_task('41 days') as done \gset
select tasker_test.make_old_task('41 days') as investigated \gset
select tasker_test.make_old_task('41 days', 'pending') as open \gset
select tasker_test.move_task(:'open', 'initializing', 'enqueuing_steps');
select tasker_test.move_step(tasker_test.step(:'open', 'only'), 'enqueued');
select tasker_test.move_task(:'open', 'steps_in_process');
select tasker.add_steps(:'open', '[{"name": "more", "dependencies": ["only"]}]');
insert into tasker.tasks_dlq (task_uuid, original_state, dlq_reason, task_snapshot)
values (:'investigated', 'error', 'manual_dlq', '{}');

create function pg_temp.rows_of(p_tasks uuid[]) returns text language sql as $$
  select md5(string_agg(x.row, ';' order by x.row))
    from (
      select t::text from tasker.tasks as t where t.task_uuid = any (p_tasks)
      union all select s::text from tasker.workflow_steps as s where s.task_uuid = any (p_tasks)
      union all select e::text from tasker.added_step_edges as e where e.task_uuid = any (p_tasks)
      union all select l::text from tasker.task_transition_log as l where l.task_uuid = any (p_tasks)
      union all select l::text from tasker.workflow_step_transition_log as l where l.task_uuid = any (p_tasks)
      union all select a::text from tasker.workflow_step_result_audit as a where a.task_uuid = any (p_tasks)
    ) as x (row);
$$;
select pg_temp.rows_of(array[:'open', :'investigated']::uuid[]) as before \gset

select results_eq(
  $$ select * from tasker.evacuate_partition('2050-01-17 00:00+00') $$,
  $$ values (timestamptz '2050-01-17 00:00+00', timestamptz '2050-01-24 00:00+00', 'evacuated', '2 tasks moved to partitions _p20500117_e1') $$,
  'two of three tasks are kept'
);
select is(pg_temp.rows_of(array[:'open', :'investigated']::uuid[]), :'before', 'every row of these tasks is unchanged, and no row is added');
select is_empty(format($$ select from tasker.tasks where task_uuid = %L $$, :'done'), 'the task that has ended is deleted');
select is_empty($$ select tasker_test.violations(t.task_uuid) from tasker.tasks as t $$, 'every invariant holds');
select is_empty(
  $$ select from pg_class as c where c.relnamespace = 'tasker'::regnamespace and c.relkind = 'r' and c.relname like '%\_p20500117' $$,
  'the old partitions are dropped'
);
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
  'the new partitions have the triggers of their tables, enabled in the same way'
);
select set_eq(
  $$
  select replace(c.relname, '_p20500117_e1', ''), array_to_string(c.reloptions, ', ')
    from pg_class as c
   where c.relkind = 'r'
     and c.relname like '%\_p20500117\_e1'
  $$,
  $$ select t.table_name, replace(t.storage, ' = ', '=') from tasker.partitioned_tables as t $$,
  'each new partition has the storage parameters of its table'
);

-- The task continues in its new partition.
select lives_ok(
  format($$ select tasker_test.complete_step(tasker_test.step(%L, 'only')) $$, :'open'), 'its step can be completed'
);
select is(
  (select e.to_step_no from tasker.workflow_step_edges as e where e.task_uuid = :'open'), 2, 'the added step still depends on it'
);
select tasker_test.move_step(tasker_test.step(:'open', 'more'), 'enqueued');
select tasker_test.complete_step(tasker_test.step(:'open', 'more'));
select tasker_test.move_task(:'open', 'evaluating_results', 'complete');
select results_eq(
  'select outcome, detail from tasker.apply_retention() limit 1',
  $$ values ('held', 'tasks: 1 under investigation') $$,
  'the task under investigation still holds the range'
);
update tasker.tasks_dlq set resolution_status = 'permanently_failed', resolution_timestamp = tasker.clock();
select results_eq(
  'select outcome, detail from tasker.apply_retention() limit 1',
  $$ values ('dropped', 'partitions _p20500117_e1') $$,
  'the range is dropped when the investigation has ended'
);
select is_empty('select from tasker.held_partitions()', 'no range is held');

select * from finish();
rollback;
