create or replace function tasker.parse_cron(
  p_cron text
)
  returns tasker.cron_fields
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_fields text[];
  v_cron   tasker.cron_fields;
begin
  v_fields := regexp_split_to_array(trim(case lower(trim(p_cron))
    when '@hourly' then '0 * * * *'
    when '@daily' then '0 0 * * *'
    when '@midnight' then '0 0 * * *'
    when '@weekly' then '0 0 * * 0'
    when '@monthly' then '0 0 1 * *'
    when '@yearly' then '0 0 1 1 *'
    when '@annually' then '0 0 1 1 *'
    else p_cron
  end), '[[:space:]]+');
  if cardinality(v_fields) = 5 is not true then
    raise exception using
      errcode = 'TK422',
      message = format('"%s" is no cron expression: it does not have five fields', left(p_cron, 200)),
      hint    = 'Minute, hour, day of month, month, weekday; or @hourly, @daily, @weekly, @monthly, @yearly.';
  end if;

  v_cron.minutes := tasker.cron_values(p_cron, 'minute', v_fields[1], 0, 59, null);
  v_cron.hours := tasker.cron_values(p_cron, 'hour', v_fields[2], 0, 23, null);
  v_cron.days := tasker.cron_values(p_cron, 'day of month', v_fields[3], 1, 31, null);
  v_cron.months := tasker.cron_values(
    p_cron, 'month', v_fields[4], 1, 12, array['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
  );
  -- Both 0 and 7 mean Sunday.
  v_cron.weekdays := tasker.cron_values(
    p_cron, 'weekday', v_fields[5], 0, 7, array['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
  );
  if v_fields[5] = '*' then
    v_cron.weekdays := '{0,1,2,3,4,5,6}';
  elsif 7 = any (v_cron.weekdays) then
    v_cron.weekdays := array(select distinct u.day % 7 from unnest(v_cron.weekdays) as u (day) order by 1);
  end if;
  if v_fields[5] like '*/%' then
    -- With a step, count only from 0 to 6, because 7 would be a second Sunday.
    v_cron.weekdays := tasker.cron_values(p_cron, 'weekday', v_fields[5], 0, 6, null);
  end if;
  v_cron.either_day := v_fields[3] not like '*%' and v_fields[5] not like '*%';
  return v_cron;
end;
$$;

comment on function tasker.parse_cron is
$$Parses a cron expression of five fields, or a name such as @daily. Raises TK422, with the wrong field, for an invalid expression.$$;
