create or replace function tasker.attach_leaves(p_range tasker.partition_ranges)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table text;
begin
  for v_table in select t.table_name from tasker.partitioned_tables as t order by t.position loop
    execute format(
      'alter table tasker.%1$I attach partition tasker.%2$I for values from (%3$L) to (%4$L)',
      v_table, v_table || '_' || p_range.suffix, p_range.from_uuid, p_range.to_uuid
    );
  end loop;
end;
$$;

comment on function tasker.attach_leaves is
$$Attaches the tables that tasker.create_leaves has created as the partitions of a range.

Locks the parents against other DDL, in the engine's order. Does not block readers or writers.$$;
