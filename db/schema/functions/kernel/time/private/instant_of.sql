create or replace function tasker.instant_of(p_text text)
  returns timestamptz
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set datestyle = 'ISO, YMD'
  set timezone = 'UTC'
as $$
begin
  if p_text ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)$' then
    return p_text::timestamptz;
  end if;
  return null;
exception
  when data_exception then
    return null;
end;
$$;

comment on function tasker.instant_of is
$$Returns the instant that a text such as 2026-12-24T18:00:00Z names: a date, a time and an offset from UTC. Returns null for any other text, so that the result does not depend on the session's time zone.$$;
