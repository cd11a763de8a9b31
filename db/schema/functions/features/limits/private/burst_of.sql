create or replace function tasker.burst_of(p_rate integer, p_per_seconds integer, p_burst integer)
  returns integer
  language sql
  immutable
  parallel safe
begin atomic
  -- With a burst of 1, each claim under a fast rate would get only one step.
  select coalesce(p_burst, greatest(1, p_rate / (10 * greatest(coalesce(p_per_seconds, 1), 1)::bigint))::integer);
end;

comment on function tasker.burst_of is
$$Returns the burst of a rate: the given burst, or by default the number of starts in a tenth of a second, at least 1.$$;
