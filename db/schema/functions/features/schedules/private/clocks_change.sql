create or replace function tasker.clocks_change(p_timezone text, p_at timestamptz)
  returns boolean
  language sql
  stable
begin atomic
  select (p_at - interval '3 hours') at time zone p_timezone + interval '6 hours'
      <> (p_at + interval '3 hours') at time zone p_timezone;
end;

comment on function tasker.clocks_change is
$$Returns whether clocks in a time zone are put forward or back within three hours of an instant.$$;
