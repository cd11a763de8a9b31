create or replace function tasklib.option_number(
  p_options  jsonb,
  p_option   text,
  p_minimum  numeric,
  p_maximum  numeric,
  p_whole    boolean,
  p_before   numeric
)
  returns numeric
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_option jsonb := p_options -> p_option;
  v_number numeric;
begin
  if v_option is null then
    return p_before;
  end if;
  if jsonb_typeof(v_option) = 'null' then
    return null;
  end if;
  if jsonb_typeof(v_option) = 'number' then
    v_number := v_option::numeric;
    if v_number between p_minimum and p_maximum and (not p_whole or v_number = trunc(v_number)) then
      return v_number;
    end if;
  end if;
  raise exception using
    errcode = 'TK422',
    message = format('option "%s" cannot be %s', p_option, left(v_option::text, 100)),
    hint    = format('It must be a %snumber from %s to %s, or null.', case when p_whole then 'whole ' else '' end, p_minimum, p_maximum);
end;
$$;

comment on function tasklib.option_number is
$$Returns the value of a numeric option. If p_options does not contain the option, returns p_before. Raises TK422 if the value is not a number or is out of bounds.$$;
