create or replace function tasker.is_gated(p_handlers text[], p_settings tasker.settings_now)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when (p_settings).limited_handlers = '{}' then false
    when (p_settings).limited_handlers is null or p_handlers is null then true
    else (p_settings).limited_handlers && p_handlers
  end;
end;

comment on function tasker.is_gated is
$$Returns whether a claim for these handlers (null: all) has to read limits.$$;
