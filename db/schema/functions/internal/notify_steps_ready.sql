create or replace function tasker.notify_steps_ready(p_namespace text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- A constant payload: PostgreSQL sends equal notifications of one transaction once.
  if tasker.setting_boolean('notify') then
    perform pg_notify('tasker_steps_ready.' || p_namespace, '');
  end if;
end;
$$;

comment on function tasker.notify_steps_ready(text) is
$$Wakes the workers of a namespace, once per transaction, unless the setting "notify" is off.$$;

revoke all on function tasker.notify_steps_ready(text) from public;
