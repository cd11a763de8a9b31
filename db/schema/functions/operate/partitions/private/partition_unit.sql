create or replace function tasker.partition_unit(p_interval interval)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  -- Compare the fields of the interval, because for PostgreSQL thirty days are equal to a month, and 24 hours to a day.
  select case array[
      extract(year from p_interval) * 12 + extract(month from p_interval),
      extract(day from p_interval),
      extract(hour from p_interval) * 3600 + extract(minute from p_interval) * 60 + extract(second from p_interval)
    ]
    when '{1,0,0}' then 'month'
    when '{0,7,0}' then 'week'
    when '{0,1,0}' then 'day'
    when '{0,0,3600}' then 'hour'
  end;
end;

comment on function tasker.partition_unit is
$$Returns the unit of an interval that is exactly one month, week, day or hour. These four intervals are the possible
lengths of ranges. Returns null for any other interval.$$;
