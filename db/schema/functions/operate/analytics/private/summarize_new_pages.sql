create or replace function tasker.summarize_new_pages()
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- A BRIN index skips pages that it has summarised; new pages would be read each time until autovacuum runs.
  perform brin_summarize_new_values(i.indexrelid)
     from tasker.partition_ranges as r
    cross join (values
      ('task_log'), ('step_log')
    ) as p (table_name)
     join pg_class as c
       on c.relnamespace = 'tasker'::regnamespace
      and c.relname = p.table_name || '_' || r.suffix
     join pg_index as i
       on i.indrelid = c.oid
     join pg_class as x
       on x.oid = i.indexrelid
     join pg_am as m
       on m.oid = x.relam
      and m.amname = 'brin';
end;
$$;

comment on function tasker.summarize_new_pages is
$$Summarises the new pages of the logs' BRIN indexes.$$;
