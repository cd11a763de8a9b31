begin;
select plan(4);

select setseed(0.16);
-- Durations from nothing to weeks; each series has a spread of its own, and some have a single duration.
create temporary table durations as
select
  s.series,
  floor(exp(random() * (s.series % 22)))::bigint - 1 as ms
from generate_series(1, 200) as s (series)
cross join lateral generate_series(1, 1 + (s.series * 37) % 400) as n;

create temporary table percentiles as
select
  w.series,
  v.want / 1000 as want,
  v.have
from (
  select
    d.series,
    percentile_disc(array[0.5, 0.95, 0.99]) within group (order by d.ms) as p
  from durations as d
  group by d.series
) as w
join (
  select
    b.series,
    min(b.min_ms) as min_ms,
    max(b.max_ms) as max_ms,
    sum(tasker.duration_histogram(b.bin, b.n)) as durations
  from (
    select d.series, tasker.duration_bin(d.ms) as bin, count(*) as n, min(d.ms) as min_ms, max(d.ms) as max_ms
      from durations as d
     group by 1, 2
  ) as b
  group by b.series
) as h
  on h.series = w.series
cross join lateral tasker.percentiles_of(h.durations, h.min_ms, h.max_ms) as o
cross join lateral (values (w.p[1]::numeric, o.p50), (w.p[2], o.p95), (w.p[3], o.p99)) as v (want, have);

select is((select count(*) from percentiles), 600::bigint, 'each series has three percentiles');
select is_empty(
  'select * from percentiles as p where abs(p.have - p.want) > 0.0906 * (p.want + 0.001) + 0.0005',
  'each percentile is off by at most 2^(1/8) - 1 and the rounding to a millisecond'
);
select results_eq(
  'select p.p50, p.p95, p.p99 from tasker.percentiles_of(0, null, null) as p',
  'values (0::numeric, 0::numeric, 0::numeric)', 'the percentiles of no durations are 0'
);
select results_eq(
  $$ select p.p50, p.p99 from tasker.percentiles_of(tasker.duration_histogram(8::smallint, 999999999999), 3, 3) as p $$,
  'values (0.003::numeric, 0.003::numeric)', 'a class holds a count of twelve digits'
);

select * from finish();
rollback;
