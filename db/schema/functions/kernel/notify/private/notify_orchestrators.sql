create or replace function tasker.notify_orchestrators()
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_xid    xid8;
  v_notify boolean;
begin
  -- First take a transaction number, then query in a later snapshot, as in notify_steps_ready.
  v_xid := pg_current_xact_id();
  v_notify := case (select s.value from tasker.settings as s where s.name = 'notify')
    when 'always' then true
    when 'asleep' then
      current_setting('transaction_isolation') <> 'read committed'
      or exists (
        select
          from tasker.sleepers as z
         where z.channel = 'pgmq_message_ready.orchestration'
           and z.until > tasker.clock()
      )
    else false
  end;
  -- The payload is constant, because PostgreSQL sends equal notifications of one transaction only once.
  if v_notify then
    perform pg_notify('pgmq_message_ready.orchestration', '');
  end if;
end;
$$;

comment on function tasker.notify_orchestrators is
$$Wakes orchestrators, at most once per transaction, on the channel that announces messages for them. The setting "notify" decides whether it notifies always, only if an orchestrator sleeps, or never.$$;
