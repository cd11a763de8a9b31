create or replace function tasker.finish_leaves(p_suffix text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table text;
begin
  -- Attaching adds row-level triggers only. Without these, a statement on the leaf itself would bypass them.
  for v_table in select t.table_name from tasker.partitioned_tables as t order by t.position loop
    perform tasker.copy_statement_triggers(v_table, v_table || '_' || p_suffix);
  end loop;
end;
$$;

comment on function tasker.finish_leaves is
$$Gives the partitions of one range the statement-level triggers, which partitions do not inherit.

For tables that other sessions cannot see yet.$$;
