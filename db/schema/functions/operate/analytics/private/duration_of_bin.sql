create or replace function tasker.duration_of_bin(p_bin smallint)
  returns double precision
  language sql
  immutable
  parallel safe
begin atomic
  select power(2::double precision, (p_bin + 0.5) / 4.0) - 1;
end;

comment on function tasker.duration_of_bin is
$$Returns the middle of a class of durations, in milliseconds.$$;
