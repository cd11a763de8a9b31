create or replace function tasker.summarize_new_pages()
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_index oid;
  v_range bigint;
  v_block bigint;
  v_now   timestamptz := tasker.clock();
begin
  -- A BRIN index skips only pages that have a summary. Without this function, each query would read all new pages until
  -- autovacuum runs.
  for v_index, v_range, v_block in
    select
        i.indexrelid, o.pages,
        (pg_relation_size(c.oid) / current_setting('block_size')::integer - 1) / o.pages * o.pages
          - case when r.ends_at <= v_now then 0 else o.pages end
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
       and m.amname = 'brin'
     cross join lateral (
       select coalesce((select f.option_value from pg_options_to_table(x.reloptions) as f where f.option_name = 'pages_per_range'), '128')::bigint as pages
     ) as o
  loop
    -- Go from the newest full range back to a range that has a summary. The range to which rows are added gets no
    -- summary, because each insert would have to widen the summary, and a reader of new rows reads these pages anyway.
    -- In a partition whose time has passed, the last range gets a summary, too.
    while v_block >= 0 loop
      exit when brin_summarize_range(v_index, v_block) = 0;
      v_block := v_block - v_range;
    end loop;
  end loop;
end;
$$;

comment on function tasker.summarize_new_pages is
$$Writes the summaries of full ranges of new pages into the BRIN indexes of the logs. If the time of a partition has
passed, also writes the summary of its last range of pages.$$;
