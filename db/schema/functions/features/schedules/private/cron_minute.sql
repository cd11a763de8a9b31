create or replace function tasker.cron_minute(p_cron tasker.cron_fields, p_after integer)
  returns integer
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_hour   integer;
  v_minute integer;
begin
  foreach v_hour in array p_cron.hours loop
    continue when v_hour * 60 + 59 <= p_after;
    foreach v_minute in array p_cron.minutes loop
      if v_hour * 60 + v_minute > p_after then
        return v_hour * 60 + v_minute;
      end if;
    end loop;
  end loop;
  return null;
end;
$$;

comment on function tasker.cron_minute is
$$Returns the first minute after p_after that a cron expression names. Minutes are counted from midnight. If p_after is -1, returns the first such minute of the day. Returns null if the day has no such minute.$$;
