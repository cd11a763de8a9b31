-- down: nothing
create or replace function tasker_pgmq.create_fifo_index(queue_name text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  execute format(
    $sql$create index if not exists %I on pgmq.%I ((headers ->> 'x-pgmq-group'), msg_id)$sql$,
    pgmq.format_table_name(queue_name, 'q') || '_fifo_idx', pgmq.format_table_name(queue_name, 'q')
  );
end;
$$;

comment on function tasker_pgmq.create_fifo_index(text) is
$$Adds the index that serves the grouped reads of a queue. Nothing happens, with a notice, if it is there.$$;
