create or replace function tasker.duration_histogram(p_bin smallint, p_count bigint)
  returns numeric
  language sql
  immutable
  parallel safe
begin atomic
  select p_count * ('1e' || 12 * p_bin)::numeric;
end;

comment on function tasker.duration_histogram is
$$Returns a histogram of durations in one number, which has twelve decimal digits for each class of tasker.duration_bin.
The last digits belong to the shortest class. So sum() adds histograms class by class, in C and into one row. The digits
suffice for almost 10^12 durations in a class. Returns null for a null class.$$;
