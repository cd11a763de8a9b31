create or replace function tasker.notify_steps_ready(p_namespace text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_xid    xid8;
  v_notify boolean;
begin
  -- The transaction takes its number before it queries tasker.sleepers, and queries them in a later snapshot. A client
  -- that falls asleep after that snapshot knows the number and waits for this transaction to end.
  v_xid := pg_current_xact_id();
  v_notify := case coalesce(
      (select n.notify from tasker.task_namespaces as n where n.name = p_namespace),
      (select s.value from tasker.settings as s where s.name = 'notify')
    )
    when 'always' then true
    when 'asleep' then
      current_setting('transaction_isolation') <> 'read committed'
      or exists (
        select
          from tasker.sleepers as z
         where z.channel = 'tasker_steps_ready.' || p_namespace
           and z.until > tasker.clock()
      )
    else false
  end;
  -- The payload is constant, because PostgreSQL sends equal notifications of one transaction only once.
  if v_notify then
    perform pg_notify('tasker_steps_ready.' || p_namespace, '');
  end if;
end;
$$;

comment on function tasker.notify_steps_ready is
$$Wakes the workers of a namespace, at most once per transaction. The namespace or the setting "notify" decides whether it notifies always, only if a worker sleeps, or never. Call this function in a statement of its own after the transaction's writes.$$;
