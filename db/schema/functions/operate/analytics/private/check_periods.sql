create or replace function tasker.check_periods(p_since timestamptz, p_bucket interval)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_bucket < interval '1 minute' or p_bucket > interval '366 days'
     or extract(month from p_bucket) + extract(year from p_bucket) <> 0
     or extract(epoch from p_bucket) % 60 <> 0 then
    raise exception using
      errcode = 'TK422',
      message = format('throughput cannot be divided into periods of %s', p_bucket),
      hint    = 'Use whole minutes, up to 366 days, without months.';
  end if;
  if (tasker.clock() - p_since) > 10000 * p_bucket then
    raise exception using
      errcode = 'TK422',
      message = format('there are more than 10,000 periods of %s since %s', p_bucket, p_since),
      hint    = 'Begin later, or choose longer periods.';
  end if;
end;
$$;

comment on function tasker.check_periods is
$$Raises TK422 if a report from p_since on cannot be divided into periods of p_bucket, or has more than 10,000 periods.$$;
