create or replace function tasker.setting_accepts(
  p_kind     text,
  p_minimum  numeric,
  p_maximum  numeric,
  p_choices  text[],
  p_value    text
)
  returns boolean
  language plpgsql
  immutable
  parallel safe
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_number numeric;
begin
  case p_kind
    when 'boolean' then
      return coalesce(p_value in ('true', 'false'), false);
    when 'choice' then
      return coalesce(p_value = any (p_choices), false);
    when 'tenant' then
      return coalesce(p_value ~ '^(none|tag:[^\u0001-\u001f\u007f-\u009f]{1,100}|context:[A-Za-z0-9_-]{1,100}([.][A-Za-z0-9_-]{1,100}){0,9})$', false);
    when 'link' then
      return coalesce(p_value ~ '^https?://[^\s"<>]+$' and length(p_value) <= 500, false);
    when 'integer' then
      if p_value is null or p_value !~ '^-?[0-9]{1,15}$' then
        return false;
      end if;
    when 'numeric' then
      if p_value is null or p_value !~ '^-?[0-9]{1,15}([.][0-9]{1,6})?$' then
        return false;
      end if;
    else
      return false;
  end case;

  v_number := p_value::numeric;
  return v_number between coalesce(p_minimum, v_number) and coalesce(p_maximum, v_number);
end;
$$;

comment on function tasker.setting_accepts is
$$Returns true if a text is a value of this kind, which lies within these bounds or is one of these choices. Never returns null.$$;
