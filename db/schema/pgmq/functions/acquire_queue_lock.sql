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
$$Takes the lock for creating or dropping a queue. Waits for another transaction that has the lock, and keeps it until this transaction ends.$$;
