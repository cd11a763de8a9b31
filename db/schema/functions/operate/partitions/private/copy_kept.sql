create or replace function tasker.copy_kept(p_range tasker.partition_ranges, p_suffix text, p_task_uuids uuid[], p_again boolean)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table text;
begin
  if p_again then
    for v_table in select t.table_name from tasker.partitioned_tables as t order by t.position loop
      execute format('delete from tasker.%I as o where o.task_uuid = any ($1)', v_table || '_' || p_suffix) using p_task_uuids;
    end loop;
  end if;
  perform tasker.copy_stragglers(p_task_uuids, array[p_range.suffix], p_suffix);
  if not p_again then
    -- The retries and losses in the log are still counted under the old suffix.
    execute format(
      $sql$
        insert into tasker.step_totals as o (partition_suffix, settled, complete, error, cancelled, resolved)
        select $1, true,
               count(*) filter (where s.state = 'complete'), count(*) filter (where s.state = 'error'),
               count(*) filter (where s.state = 'cancelled'), count(*) filter (where s.state = 'resolved_manually')
          from tasker.%I as s
         where s.task_uuid = any ($2)
        on conflict (partition_suffix, settled) do update
           set complete  = o.complete + excluded.complete,
               error     = o.error + excluded.error,
               cancelled = o.cancelled + excluded.cancelled,
               resolved  = o.resolved + excluded.resolved
      $sql$,
      'workflow_steps_' || p_suffix
    ) using p_suffix, p_task_uuids;
  end if;
end;
$$;

comment on function tasker.copy_kept is
$$Copies all rows of some tasks, unchanged, to the new partitions of their range, and counts their ended steps there.
With p_again, the tasks were copied before and have changed since then.$$;
