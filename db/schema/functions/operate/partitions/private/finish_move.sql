create or replace function tasker.finish_move(p_range tasker.partition_ranges, p_move tasker.kept_moves)
  returns text
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_new    tasker.partition_ranges := tasker.evacuated_range(array[p_range]);
  v_detail text;
  v_table  text;
begin
  v_detail := tasker.lock_range(array[p_range]);
  if v_detail is not null then
    return v_detail;
  end if;

  -- From here on no other session can change a task of the range.
  perform tasker.copy_kept(p_range, v_new.suffix, tasker.changed_kept(p_range, v_new.suffix, null), true);
  perform tasker.copy_kept(p_range, v_new.suffix, tasker.missing_holds(p_range, v_new.suffix, null), false);
  delete from tasker.kept_moves as m where m.starts_at = p_range.starts_at;
  perform tasker.drop_partition_range(p_range.starts_at);
  insert into tasker.partition_ranges (starts_at, ends_at, suffix, evacuations, kept)
  values (v_new.starts_at, v_new.ends_at, v_new.suffix, v_new.evacuations, p_move.templates);
  perform tasker.finish_leaves(v_new.suffix);
  perform tasker.attach_leaves(v_new);
  for v_table in select t.table_name from tasker.partitioned_tables as t order by t.position loop
    execute format('alter table tasker.%I drop constraint kept_range', v_table || '_' || v_new.suffix);
  end loop;
  -- All tasks of these templates are in the new partitions. The totals do not change, they only get the new suffix.
  update tasker.task_totals as o
     set partition_suffix = v_new.suffix
   where o.partition_suffix = p_range.suffix
     and o.named_task_uuid = any (p_move.templates);
  return null;
end;
$$;

comment on function tasker.finish_move is
$$Replaces a range by the copies of its kept tasks, and drops the other tasks. Returns null, or the reason why it could not lock the range.

Locks the run tables exclusively, as tasker.apply_retention does. While it holds the locks, copies only tasks that have
changed since the last batch.$$;
