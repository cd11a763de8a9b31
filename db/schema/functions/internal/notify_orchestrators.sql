create or replace function tasker.notify_orchestrators()
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- A constant payload: PostgreSQL sends equal notifications of one transaction once.
  if tasker.setting_boolean('notify') then
    perform pg_notify('pgmq_message_ready.orchestration', '');
  end if;
end;
$$;

comment on function tasker.notify_orchestrators() is
$$Wakes orchestrators, once per transaction, unless the setting "notify" is off: on the channel on which messages for them are announced.$$;

revoke all on function tasker.notify_orchestrators() from public;
