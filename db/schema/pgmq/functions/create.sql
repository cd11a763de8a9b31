-- down: nothing
create or replace function tasker_pgmq.create(queue_name text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform pgmq._create_queue(queue_name, false);
end;
$$;

comment on function tasker_pgmq.create(text) is
$$Creates a queue. Does nothing if the queue exists.$$;
