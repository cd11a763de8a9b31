-- down: nothing
create or replace function tasker_pgmq.enable_notify_insert(queue_name text, throttle_interval_ms integer default 250)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table text := pgmq.format_table_name(queue_name, 'q');
begin
  if throttle_interval_ms < 0 then
    raise exception 'throttle_interval_ms must be non-negative';
  end if;
  perform from pgmq.meta as m where m.queue_name = enable_notify_insert.queue_name;
  if not found then
    raise exception 'Queue "%" does not exist. Create it first using pgmq.create()', queue_name;
  end if;

  insert into pgmq.notify_insert_throttle as t (queue_name, throttle_interval_ms)
  values (enable_notify_insert.queue_name, enable_notify_insert.throttle_interval_ms)
  on conflict on constraint notify_insert_throttle_queue_name_key do update
     set throttle_interval_ms = excluded.throttle_interval_ms,
         last_notified_at     = excluded.last_notified_at;

  if not exists (
    select from pg_trigger as g
     where g.tgrelid = to_regclass(format('pgmq.%I', v_table))
       and g.tgname = 'trigger_notify_queue_insert_listeners'
  ) then
    execute format(
      'create trigger trigger_notify_queue_insert_listeners after insert on pgmq.%I
         for each statement execute function pgmq.notify_queue_listeners()',
      v_table
    );
  end if;
end;
$$;

comment on function tasker_pgmq.enable_notify_insert(text, integer) is
$$Has inserts into a queue notify its channel, at most once per interval; 0 is without limit. Once more changes the interval and starts it again.$$;
