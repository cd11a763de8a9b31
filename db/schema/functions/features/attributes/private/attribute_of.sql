create or replace function tasker.attribute_of(p_type text, p_value jsonb)
  returns tasker.task_attributes
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_kind text := jsonb_typeof(p_value);
  v_text text := p_value #>> '{}';
  v_most integer := case p_type when 'text' then 500 else 100 end;
  a      tasker.task_attributes;
begin
  if v_kind = 'null' then
    return a;
  elsif v_kind in ('object', 'array') then
    a.problem := format('the value is an %s', v_kind);
  elsif length(v_text) > v_most then
    a.problem := format('the value has %s characters; a %s has at most %s', length(v_text), p_type, v_most);
  elsif p_type = 'text' then
    a.text_value := v_text;
  elsif p_type = 'number' then
    if v_kind = 'number' or v_text ~ '^[+-]?[0-9]+([.][0-9]+)?$' then
      a.number_value := v_text::numeric;
    else
      a.problem := format('"%s" is no number', left(v_text, 40));
    end if;
  elsif v_text ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?))?$' then
    begin
      a.time_value := v_text::timestamptz;
    exception
      when data_exception then
        a.problem := format('"%s" is no time', left(v_text, 40));
    end;
  else
    a.problem := format('"%s" is no time with its offset, such as 2026-12-24T18:00:00Z, and no date', left(v_text, 40));
  end if;
  return a;
end;
$$;

comment on function tasker.attribute_of is
$$Converts a value to the type of an attribute. Sets the value or the problem in the returned row; for a JSON null it sets neither. A date becomes its first moment in UTC.$$;
