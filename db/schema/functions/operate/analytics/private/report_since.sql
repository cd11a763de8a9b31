create or replace function tasker.report_since(p_since timestamptz, p_default interval)
  returns timestamptz
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not isfinite(p_since) then
    raise exception using
      errcode = 'TK422',
      message = 'a report cannot begin at infinity',
      hint    = 'Rollups are kept for the number of days in the setting rollup_days.';
  end if;
  perform tasker.check_instant('beginning of a report', p_since);
  return coalesce(p_since, tasker.clock() - p_default);
end;
$$;

comment on function tasker.report_since is
$$Returns when a report begins: at the given time, or by default the given interval ago. Raises TK422 for an infinite time.$$;
