create or replace function tasker.finish_leaves(p_suffix text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table   text;
  v_foreign tasker.partition_foreign_keys;
begin
  -- Row-level triggers come with attaching; these would be passed by a statement that names the leaf.
  for v_table in select t.table_name from tasker.partitioned_tables as t order by t.position loop
    perform tasker.copy_statement_triggers(v_table, v_table || '_' || p_suffix);
  end loop;

  for v_foreign in select f.* from tasker.partition_foreign_keys as f order by f.table_name, f.columns loop
    execute format(
      'alter table tasker.%1$I add foreign key (%2$s) references tasker.%3$I (%4$s)',
      v_foreign.table_name || '_' || p_suffix, v_foreign.columns,
      v_foreign.referenced_table || '_' || p_suffix, v_foreign.referenced_columns
    );
  end loop;
end;
$$;

comment on function tasker.finish_leaves(text) is
$$Gives the partitions of one range what partitions do not inherit: statement-level triggers, and the foreign keys among them.

For tables that nobody else sees yet.$$;

revoke all on function tasker.finish_leaves(text) from public;
