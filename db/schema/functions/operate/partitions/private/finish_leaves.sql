create or replace function tasker.finish_leaves(p_suffix text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table tasker.partitioned_tables;
  v_leaf  text;
begin
  -- Attaching adds row-level triggers only. Without these, a statement on the leaf itself would bypass them.
  for v_table in select t.* from tasker.partitioned_tables as t order by t.position loop
    v_leaf := v_table.table_name || '_' || p_suffix;
    perform tasker.copy_statement_triggers(v_table.table_name, v_leaf);
    -- The whole row is one argument, for which PostgreSQL refuses a CHECK of the parent.
    if v_table.row_check is not null then
      execute format(
        'alter table tasker.%1$I add constraint %2$I check (tasker.%3$I(%1$I.*))',
        v_leaf, v_table.table_name || '_row_check', v_table.row_check
      );
    end if;
  end loop;
end;
$$;

comment on function tasker.finish_leaves is
$$Gives the partitions of one range the statement-level triggers and the CHECKs of whole rows, which partitions do not inherit.

For tables that other sessions cannot see yet.$$;
