create or replace function tasklib.setting_accepts(
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

comment on function tasklib.setting_accepts is
$$Whether a text is a value of this kind, within these bounds, one of these choices. True or false, never null.$$;
