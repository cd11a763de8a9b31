create or replace function tasker.partition_floor(p_at timestamptz, p_interval interval)
  returns timestamptz
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
begin
  return date_trunc(tasker.partition_unit(p_interval), p_at);
end;
$$;

comment on function tasker.partition_floor is
$$Returns the beginning of the range that contains p_at: the hour, the day, the Monday or the first of the month. The
beginning is computed in UTC, whatever the session's time zone.$$;
