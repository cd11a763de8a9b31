create or replace function tasklib.set_setting(
  p_name    text,
  p_value   text,
  p_actor   text  default null,
  p_reason  text  default null
)
  returns text
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_setting tasklib.settings;
begin
  perform tasker.administer(p_actor, p_reason);
  select s.*
    into v_setting
    from tasklib.settings as s
   where s.name = p_name
     for update;

  if not found then
    raise exception using
      errcode = 'TK404',
      message = format('setting %s does not exist', coalesce('"' || left(p_name, 100) || '"', 'null')),
      hint    = 'tasklib.list_settings() shows them all.';
  end if;

  p_value := coalesce(p_value, v_setting.default_value);
  if not tasker.setting_accepts(v_setting.kind, v_setting.minimum, v_setting.maximum, v_setting.choices, p_value) then
    raise exception using
      errcode = 'TK422',
      message = format('setting "%s" cannot be "%s"', p_name, left(p_value, 100)),
      detail  = case v_setting.kind
        when 'boolean' then 'It must be true or false.'
        when 'choice' then format('It must be one of %s.', array_to_string(v_setting.choices, ', '))
        else format('It must be of kind %s, from %s to %s.', v_setting.kind, v_setting.minimum, v_setting.maximum)
      end,
      hint    = format('The default is %s.', v_setting.default_value);
  end if;

  update tasklib.settings as s
     set value      = p_value,
         changed_at = tasklib.clock(),
         changed_by = tasklib.caller_name()
   where s.name = p_name
     and s.value <> p_value;
  return v_setting.value;
end;
$$;

comment on function tasklib.set_setting is
$$Changes a setting and returns its previous value. If p_value is null, restores the default. The new value applies from the next call of a function.

Idempotent. Locks the setting's row. Raises TK404 if there is no setting of that name, TK422 if the value has another kind or is out of bounds.$$;

grant execute on function tasklib.set_setting to tasklib_operator;
