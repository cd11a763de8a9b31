create or replace function tasker.duration_histogram(p_bin smallint, p_count bigint)
  returns numeric
  language sql
  immutable
  parallel safe
begin atomic
  select p_count * ('1e' || 12 * p_bin)::numeric;
end;

comment on function tasker.duration_histogram is
$$Returns a histogram of durations in one number: twelve decimal digits for each class of tasker.duration_bin, the shortest last. sum() adds histograms up class by class, in C and in one row. The digits suffice for 10^12 durations in a class. Null for a class that is null.$$;
