create or replace function tasker.create_leaves(p_suffix text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table tasker.partitioned_tables;
begin
  for v_table in select t.* from tasker.partitioned_tables as t order by t.position loop
    execute format(
      'create table tasker.%1$I (like tasker.%2$I including all) with (%3$s)',
      v_table.table_name || '_' || p_suffix, v_table.table_name, v_table.storage
    );
  end loop;
end;
$$;

comment on function tasker.create_leaves is
$$Creates for each partitioned table a table with the same columns and with the storage parameters of a partition. The
new tables are not attached and have no triggers.

Does not block readers or writers.$$;
