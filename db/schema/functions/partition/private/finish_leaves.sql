create or replace function tasker.finish_leaves(p_suffix text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table text;
begin
  -- Row-level triggers come with attaching; these would be passed by a statement that names the leaf.
  for v_table in select t.table_name from tasker.partitioned_tables as t order by t.position loop
    perform tasker.copy_statement_triggers(v_table, v_table || '_' || p_suffix);
  end loop;
end;
$$;

comment on function tasker.finish_leaves(text) is
$$Gives the partitions of one range what partitions do not inherit: statement-level triggers.

For tables that nobody else sees yet.$$;

revoke all on function tasker.finish_leaves(text) from public;
