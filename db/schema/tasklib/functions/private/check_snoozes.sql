create or replace function tasklib.check_snoozes(p_seconds double precision[])
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_seconds double precision := (select u.seconds from unnest(p_seconds) as u (seconds) where u.seconds <> 0 and u.seconds not between 0.001 and 31536000 limit 1);
begin
  if v_seconds is not null then
    raise exception using
      errcode = 'TK422',
      message = format('a snooze of %s seconds is out of bounds', v_seconds),
      hint    = 'A snooze lasts from a millisecond to a year, 31536000 seconds.';
  end if;
end;
$$;

comment on function tasklib.check_snoozes is
$$Raises TK422 if a snooze is shorter than a millisecond or longer than a year. 0 and null mean no snooze, and are allowed.$$;
