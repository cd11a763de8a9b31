create or replace function tasker.percentiles_of(p_durations numeric, p_min_ms bigint, p_max_ms bigint)
  returns setof tasker.duration_percentiles
  language sql
  immutable
  parallel safe
begin atomic
  with classes as (
    select
      b.bin::smallint as bin,
      sum(substr(h.digits, length(h.digits) - 12 * b.bin - 11, 12)::bigint) over (order by b.bin) as n_until
    -- With "offset 0" PostgreSQL converts the number to text only once, not once for each class.
    from (select repeat('0', 11) || p_durations::text as digits offset 0) as h
    cross join generate_series(0, length(h.digits) / 12 - 1) as b (bin)
  ),
  durations as (
    select
      round((least(greatest(tasker.duration_of_bin(c.bin), p_min_ms), p_max_ms) / 1000)::numeric, 3) as seconds,
      c.n_until / nullif(max(c.n_until) over (), 0) as share
    from classes as c
  )
  select
    coalesce(min(d.seconds) filter (where d.share >= 0.50), 0),
    coalesce(min(d.seconds) filter (where d.share >= 0.95), 0),
    coalesce(min(d.seconds) filter (where d.share >= 0.99), 0)
  from durations as d;
end;

comment on function tasker.percentiles_of is
$$Returns one row with the percentiles of a histogram (tasker.duration_histogram). No percentile is below the shortest
or above the longest duration, and its error is at most ten percent and half a millisecond. The percentiles are 0 if
there are no durations. Inlined into the statements of reports.$$;
