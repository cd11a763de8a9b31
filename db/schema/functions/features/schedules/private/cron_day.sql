create or replace function tasker.cron_day(p_cron tasker.cron_fields, p_from date)
  returns date
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_day       date := p_from;
  v_month     integer;
  v_in_days   boolean;
  v_in_week   boolean;
begin
  -- 29 February falls on a given weekday once in 28 years, or once in 40 years if a century has no leap day in between.
  while v_day < p_from + 15000 loop
    v_month := extract(month from v_day);
    if v_month <> all (p_cron.months) then
      v_day := (date_trunc('month', v_day::timestamp) + interval '1 month')::date;
      continue;
    end if;
    v_in_days := extract(day from v_day)::integer = any (p_cron.days);
    v_in_week := extract(dow from v_day)::integer = any (p_cron.weekdays);
    if v_in_days and v_in_week or p_cron.either_day and (v_in_days or v_in_week) then
      return v_day;
    end if;
    v_day := v_day + 1;
  end loop;
  return null;
end;
$$;

comment on function tasker.cron_day is
$$Returns the first day from p_from on that a cron expression names. Returns null if there is no such day in the next 40 years.$$;
