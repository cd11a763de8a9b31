-- down: nothing
create or replace function tasker_pgmq.create_unlogged(queue_name text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform pgmq._create_queue(queue_name, true);
end;
$$;

comment on function tasker_pgmq.create_unlogged(text) is
$$Creates a queue whose messages are lost in a crash. The archive of the queue survives a crash. Does nothing if the queue exists.$$;
