-- down: nothing
create or replace function tasker_pgmq.acquire_queue_lock(queue_name text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform pg_advisory_xact_lock(hashtext('pgmq.queue_' || lower(queue_name)));
end;
$$;

comment on function tasker_pgmq.acquire_queue_lock(text) is
$$Waits until no other transaction creates or drops the queue, and keeps others from it until this one ends.$$;
