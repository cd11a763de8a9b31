begin;
select plan(3);

select setseed(0.42);
select tasker_test.freeze('2026-11-21 10:00:00Z');
select tasker_test.simulate_work(0, p_new => true);
select is(max(tasker_test.quarter(60, 0)), null, 'nothing is raised before') from generate_series(1, 8);
create temporary table heard as
  select g.no, tasker_test.quarter(60, f.n, f.n) as severity
    from generate_series(1, 240) as g (no)
   cross join lateral (select tasker_test.some_of(1.8 + 0 * g.no) as n offset 0) as f;
select cmp_ok((select min(h.no) from heard as h where h.severity = 'look_today'), '<=', 4, 'three charges in a hundred that fail for good are raised within a minute');
select is_empty(
  $$ select h.no, h.severity from heard as h where h.no > 4 and h.severity is distinct from 'look_today' $$, 'it stays a matter for today for an hour'
);

select * from finish();
rollback;
