create or replace function tasker.drop_partition_range(p_starts_at timestamptz)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_range  tasker.partition_ranges;
  v_suffix text;
  v_table  text;
begin
  delete from tasker.partition_ranges as r
   where r.starts_at = p_starts_at
  returning r.* into strict v_range;
  v_suffix := v_range.suffix;
  perform tasker.forget_move(v_range);
  -- A down migration has already dropped the feed.
  if to_regclass('tasker.missed_events') is not null then
    perform tasker.note_missed_events(v_suffix);
  end if;

  for v_table in select t.table_name from tasker.partitioned_tables as t order by t.position desc loop
    execute format('drop table tasker.%I', v_table || '_' || v_suffix);
  end loop;
end;
$$;

comment on function tasker.drop_partition_range is
$$Drops one range with all its rows: the reverse of create_partition_range. Records the subscriptions that had not read
all events of the range. Does not check whether the range is still in use.

Locks the parents exclusively. Down migrations call this function. Retention locks the parents in the engine's order before it calls this function.$$;
