create or replace function tasker.filter_time(p_filters jsonb, p_name text)
  returns timestamptz
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (p_filters ->> p_name)::timestamptz;
exception
  when invalid_datetime_format or datetime_field_overflow or invalid_parameter_value then
    raise exception using
      errcode = 'TK422',
      message = format('the filter "%s" is not a time', p_name),
      detail  = format('It is "%s".', left(p_filters ->> p_name, 100)),
      hint    = 'Pass a time, such as 2026-03-01T08:00:00Z.';
end;
$$;

comment on function tasker.filter_time is
$$Returns the value of a filter of a selection as a time, or null if the selection has no such filter. Raises TK422 if
the value is not a time.$$;
