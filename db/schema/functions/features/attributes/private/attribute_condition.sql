create or replace function tasker.attribute_condition(p_alias text, p_filter jsonb, p_type text)
  returns text
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  a tasker.task_attributes := tasker.attribute_of(p_type, p_filter -> 'value');
begin
  if a.problem is not null then
    raise exception using
      errcode = 'TK422',
      message = format('the attribute "%s" is a %s', p_filter ->> 'name', p_type),
      detail  = a.problem || '.',
      hint    = case p_type when 'time' then 'Pass a time with its offset, such as 2026-12-24T18:00:00Z, or a date.' else format('Pass a %s.', p_type) end;
  end if;
  return format(' and %s.%I %s %L::%s', p_alias, p_type || '_value', p_filter ->> 'op',
    coalesce(a.text_value, a.number_value::text, a.time_value::text), case p_type when 'number' then 'numeric' when 'time' then 'timestamptz' else 'text' end);
end;
$$;

comment on function tasker.attribute_condition is
$$Returns a condition on an attribute as SQL. The value is a literal of the attribute's type. Raises TK422 for a value of another type.$$;
