create or replace function tasker.set_setting(
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
  v_setting tasker.settings;
begin
  perform tasker.check_unbound();
  perform tasker.administer(p_actor, p_reason);
  select s.*
    into v_setting
    from tasker.settings as s
   where s.name = p_name
     for update;

  if not found then
    raise exception using
      errcode = 'TK404',
      message = format('setting %s does not exist', coalesce('"' || left(p_name, 100) || '"', 'null')),
      hint    = 'tasker.list_settings() shows them all.';
  end if;

  p_value := coalesce(p_value, v_setting.default_value);
  if not tasker.setting_accepts(v_setting.kind, v_setting.minimum, v_setting.maximum, v_setting.choices, p_value) then
    raise exception using
      errcode = 'TK422',
      message = format('setting "%s" cannot be "%s"', p_name, left(p_value, 100)),
      detail  = case v_setting.kind
        when 'boolean' then 'It must be true or false.'
        when 'choice' then format('It must be one of %s.', array_to_string(v_setting.choices, ', '))
        when 'tenant' then 'It must be none, tag: with the beginning of a tag, or context: with a path such as customer.id.'
        when 'link' then 'It must be an address that begins with http:// or https://; {kind} in it becomes the kind of the incident.'
        else format('It must be of kind %s, from %s to %s.', v_setting.kind, v_setting.minimum, v_setting.maximum)
      end,
      hint    = format('The default is %s.', v_setting.default_value);
  end if;

  update tasker.settings as s
     set value      = p_value,
         changed_at = tasker.clock(),
         changed_by = tasker.recorded_caller()
   where s.name = p_name
     and s.value <> p_value;
  return v_setting.value;
end;
$$;

comment on function tasker.set_setting is
$$Changes a setting and returns its previous value. A null value restores the default. The new value applies from the
next call of any function.

Idempotent. Locks the setting's row. Raises TK404 if there is no setting of that name, TK422 if the value is of another
kind or out of range, and TK403 if the caller is bound to namespaces.$$;

grant execute on function tasker.set_setting to tasker_operator;
