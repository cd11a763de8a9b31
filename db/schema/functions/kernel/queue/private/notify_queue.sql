create or replace function tasker.notify_queue(p_queue_name text, p_namespace text, p_payload text)
  returns boolean
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_xid      xid8;
  v_notify   text;
  v_global   boolean;
  v_throttle integer;
begin
  select max(s.value) filter (where s.name = 'notify'),
         bool_or(s.value = 'true') filter (where s.name = 'queue_notify_global'),
         max(s.value::integer) filter (where s.name = 'queue_notify_throttle_ms')
    into v_notify, v_global, v_throttle
    from tasker.settings as s
   where s.name in ('notify', 'queue_notify_global', 'queue_notify_throttle_ms');
  -- Notify of every message, unless the setting is off or the queue's own namespace says "asleep". Programs that listen
  -- for messages usually do not mark that they sleep.
  v_notify := coalesce(
    (select n.notify from tasker.task_namespaces as n where n.name = p_namespace),
    case v_notify when 'off' then 'off' else 'always' end
  );
  if v_notify = 'off' then
    return false;
  end if;
  if v_notify = 'asleep' and current_setting('transaction_isolation') = 'read committed' then
    -- First take a transaction number, then query in a later snapshot, as in notify_steps_ready.
    v_xid := pg_current_xact_id();
    if not exists (
      select
        from tasker.sleepers as z
       where z.channel = any (array['pgmq_message_ready', 'pgmq_message_ready.' || p_namespace])
         and z.until > tasker.clock()
    ) then
      return false;
    end if;
  end if;

  if v_throttle > 0 then
    -- Count only committed notifications of other transactions, because these are sent whether this transaction commits
    -- or not.
    if exists (
      select
        from tasker.queue_notifications as n
       where n.queue_name = p_queue_name
         and n.last_notified_at > tasker.clock() - v_throttle * interval '1 millisecond'
    ) then
      return false;
    end if;
    -- Record the notification, unless another session is recording one now, so that no sender waits for another
    -- transaction.
    if pg_try_advisory_xact_lock(hashtextextended('tasker.queue_notifications.' || p_queue_name, 0)) then
      insert into tasker.queue_notifications as n (queue_name, last_notified_at)
      values (p_queue_name, tasker.clock())
      on conflict (queue_name) do update set last_notified_at = excluded.last_notified_at;
    end if;
  end if;

  perform pg_notify('pgmq_message_ready.' || p_namespace, p_payload);
  if v_global then
    perform pg_notify('pgmq_message_ready', p_payload);
  end if;
  return true;
end;
$$;

comment on function tasker.notify_queue is
$$Sends a notification about messages of a queue on the channels pgmq_message_ready.<namespace> and pgmq_message_ready. Returns false if a setting (notify, the namespace's notify, queue_notify_throttle_ms) suppressed the notification.

Never waits. So that it misses no suppressed notification, a client that was woken reads again one throttle interval later.$$;
