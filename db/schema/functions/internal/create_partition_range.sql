create or replace function tasker.create_partition_range(p_starts_at timestamptz, p_ends_at timestamptz)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_range   tasker.partition_ranges;
  v_table   tasker.partitioned_tables;
  v_foreign tasker.partition_foreign_keys;
begin
  insert into tasker.partition_ranges (starts_at, ends_at, suffix)
  values (
    p_starts_at,
    p_ends_at,
    to_char(p_starts_at, case
      when p_ends_at - p_starts_at < interval '1 day' then '"p"YYYYMMDD_HH24MI'
      else '"p"YYYYMMDD'
    end)
  )
  returning * into v_range;

  -- A copy of the parent is made beside it and then attached: unlike "partition of", that takes no
  -- lock which writers of the parent would wait for.
  for v_table in select t.* from tasker.partitioned_tables as t order by t.position loop
    execute format(
      'create table tasker.%1$I (like tasker.%2$I including all) with (%3$s)',
      v_table.table_name || '_' || v_range.suffix, v_table.table_name, v_table.storage
    );
  end loop;

  -- Row-level triggers come with attaching; these would be passed by a statement that names the leaf.
  for v_table in select t.* from tasker.partitioned_tables as t order by t.position loop
    perform tasker.copy_statement_triggers(v_table.table_name, v_table.table_name || '_' || v_range.suffix);
  end loop;

  for v_foreign in select f.* from tasker.partition_foreign_keys as f order by f.table_name, f.columns loop
    execute format(
      'alter table tasker.%1$I add foreign key (%2$s) references tasker.%3$I (%4$s)',
      v_foreign.table_name || '_' || v_range.suffix, v_foreign.columns,
      v_foreign.referenced_table || '_' || v_range.suffix, v_foreign.referenced_columns
    );
  end loop;

  for v_table in select t.* from tasker.partitioned_tables as t order by t.position loop
    execute format(
      'alter table tasker.%1$I attach partition tasker.%2$I for values from (%3$L) to (%4$L)',
      v_table.table_name, v_table.table_name || '_' || v_range.suffix, v_range.from_uuid, v_range.to_uuid
    );
  end loop;
end;
$$;

comment on function tasker.create_partition_range(timestamptz, timestamptz) is
$$Makes one range: a partition of every partitioned table, with storage parameters and foreign keys, attached last.

Locks the parents against other DDL, in the engine's order; readers and writers go on.$$;

revoke all on function tasker.create_partition_range(timestamptz, timestamptz) from public;
