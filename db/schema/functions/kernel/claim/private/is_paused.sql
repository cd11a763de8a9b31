create or replace function tasker.is_paused(p_namespace text, p_named_step_uuid uuid, p_settings tasker.settings_now)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select (p_settings).paused_handlers <> '{}' and p_namespace || '/' || p_named_step_uuid::text = any ((p_settings).paused_handlers);
end;

comment on function tasker.is_paused is
$$Returns whether a handler is paused in a namespace. Reads no table.$$;
