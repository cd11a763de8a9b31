-- down: nothing
create or replace function tasker_pgmq.notify_queue_listeners()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_throttle record;
begin
  select t.queue_name, t.throttle_interval_ms, t.last_notified_at
    into v_throttle
    from pgmq.notify_insert_throttle as t
   where lower(t.queue_name) = substr(tg_table_name, 3);

  if v_throttle.throttle_interval_ms > 0 then
    if v_throttle.last_notified_at > clock_timestamp() - v_throttle.throttle_interval_ms * interval '1 millisecond' then
      return null;
    end if;
    -- Record the notification unless another session is recording one: no sender waits for another transaction.
    update pgmq.notify_insert_throttle as t
       set last_notified_at = clock_timestamp()
     where t.queue_name = (
       select n.queue_name
         from pgmq.notify_insert_throttle as n
        where n.queue_name = v_throttle.queue_name
          for update skip locked
     );
  end if;
  perform pg_notify('pgmq.' || tg_table_name || '.' || tg_op, null);
  return null;
end;
$$;

comment on function tasker_pgmq.notify_queue_listeners() is
$$Trigger: tells the channel pgmq.q_<name>.INSERT that there are new messages, unless it was told so within the queue's throttle interval.$$;
