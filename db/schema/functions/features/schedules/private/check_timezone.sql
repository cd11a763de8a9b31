create or replace function tasker.check_timezone(p_timezone text)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_timezone is null or p_timezone <> 'UTC' and not exists (select from pg_timezone_names as z where z.name = p_timezone) then
    raise exception using
      errcode = 'TK422',
      message = format('"%s" is no time zone', left(p_timezone, 100)),
      hint    = 'Take a name of pg_timezone_names, such as Europe/Berlin or UTC.';
  end if;
end;
$$;

comment on function tasker.check_timezone is
$$Raises TK422 for a text that is not the name of a time zone. For any zone except UTC the check reads the files of all zones. So the function is called when a schedule is set, but not at ticks.$$;
