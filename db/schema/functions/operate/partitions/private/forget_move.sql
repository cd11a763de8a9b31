create or replace function tasker.forget_move(p_range tasker.partition_ranges)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_suffix text;
  v_table  text;
begin
  delete from tasker.kept_moves as m where m.starts_at = p_range.starts_at returning m.suffix into v_suffix;
  if not found then
    return;
  end if;
  delete from tasker.kept_changes as c
   where c.task_uuid >= p_range.from_uuid
     and c.task_uuid < p_range.to_uuid;
  delete from tasker.step_totals as o where o.partition_suffix = v_suffix;
  for v_table in select t.table_name from tasker.partitioned_tables as t order by t.position desc loop
    execute format('drop table tasker.%I', v_table || '_' || v_suffix);
  end loop;
end;
$$;

comment on function tasker.forget_move is
$$Drops the copies of a range's kept tasks, if there are any. The triggers that record changes stay until the range is
dropped, but no longer record anything.$$;
