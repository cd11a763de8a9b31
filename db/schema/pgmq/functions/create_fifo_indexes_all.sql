-- down: nothing
create or replace function tasker_pgmq.create_fifo_indexes_all()
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_queue text;
begin
  for v_queue in select m.queue_name from pgmq.meta as m order by m.queue_name loop
    perform pgmq.create_fifo_index(v_queue);
  end loop;
end;
$$;

comment on function tasker_pgmq.create_fifo_indexes_all() is
$$Adds the index that serves grouped reads to all queues.$$;
