create or replace function tasker.finish_leaves(p_suffix text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table text;
begin
  -- Attaching a partition adds only row-level triggers. Without copies of the statement-level triggers, a statement on
  -- the partition itself would bypass them.
  for v_table in select t.table_name from tasker.partitioned_tables as t order by t.position loop
    perform tasker.copy_statement_triggers(v_table, v_table || '_' || p_suffix);
    -- An index on an empty table has a summary of the first range, and each insert would have to widen this summary.
    perform brin_desummarize_range(i.indexrelid, 0)
       from pg_index as i
       join pg_class as x
         on x.oid = i.indexrelid
       join pg_am as m
         on m.oid = x.relam
        and m.amname = 'brin'
      where i.indrelid = format('tasker.%I', v_table || '_' || p_suffix)::regclass;
  end loop;
end;
$$;

comment on function tasker.finish_leaves is
$$Gives the partitions of one range the statement-level triggers, which partitions do not inherit, and leaves their BRIN indexes without summaries.

Call this function only for tables that other sessions cannot see yet.$$;
