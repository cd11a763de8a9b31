create or replace function tasklib.setting(
  p_name text
)
  returns text
  language plpgsql
  stable
as $$
declare
  v_value text;
begin
  select s.value
    into v_value
    from tasklib.settings as s
   where s.name = p_name;

  if not found then
    raise exception using
      errcode = 'TK404',
      message = format('setting %s does not exist', coalesce('"' || left(p_name, 100) || '"', 'null')),
      hint    = 'tasklib.list_settings() shows them all.';
  end if;
  return v_value;
end;
$$;

comment on function tasklib.setting is
$$Returns the value of a setting as text. Raises TK404 if there is no setting of that name.$$;
