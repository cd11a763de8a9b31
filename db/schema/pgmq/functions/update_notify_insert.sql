-- down: nothing
create or replace function tasker_pgmq.update_notify_insert(queue_name text, throttle_interval_ms integer)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if throttle_interval_ms < 0 then
    raise exception 'throttle_interval_ms must be non-negative, got: %', throttle_interval_ms;
  end if;
  perform from pgmq.meta as m where m.queue_name = update_notify_insert.queue_name;
  if not found then
    raise exception 'Queue "%" does not exist. Create the queue first using pgmq.create()', queue_name;
  end if;

  update pgmq.notify_insert_throttle as t
     set throttle_interval_ms = update_notify_insert.throttle_interval_ms,
         last_notified_at     = to_timestamp(0)
   where t.queue_name = update_notify_insert.queue_name;
  if not found then
    raise exception 'Queue "%" does not have notify_insert enabled. Enable it first using pgmq.enable_notify_insert()', queue_name;
  end if;
end;
$$;

comment on function tasker_pgmq.update_notify_insert(text, integer) is
$$Changes how often inserts into a queue notify, and starts the interval again.$$;
