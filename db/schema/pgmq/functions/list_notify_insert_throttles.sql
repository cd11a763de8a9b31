-- down: nothing
create or replace function tasker_pgmq.list_notify_insert_throttles()
  returns table (queue_name text, throttle_interval_ms integer, last_notified_at timestamptz)
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select t.queue_name::text, t.throttle_interval_ms, t.last_notified_at
    from pgmq.notify_insert_throttle as t
   order by t.queue_name;
end;
$$;

comment on function tasker_pgmq.list_notify_insert_throttles() is
$$The queues whose inserts notify, by name.$$;
