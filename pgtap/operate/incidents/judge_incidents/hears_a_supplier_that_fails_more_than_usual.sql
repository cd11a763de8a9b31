begin;
select plan(2);

select setseed(0.42);
select tasker_test.freeze('2026-11-21 10:00:00Z');
select tasker_test.simulate_work(0.1, 1800);
create temporary table usual as
  select g.no, tasker_test.quarter(8, tasker_test.some_of(0.75 + 0 * g.no)) as severity from generate_series(1, 480) as g (no);
select is_empty($$ select u.no, u.severity from usual as u where u.severity is not null $$, 'a supplier that always fails one call in ten raises nothing in two hours');
create temporary table more as
  select g.no, tasker_test.quarter(8, least(8, tasker_test.some_of(2.4 + 0 * g.no))) as severity from generate_series(1, 60) as g (no);
select ok((select min(m.no) <= 32 from more as m where m.severity = 'look_today'), 'three calls in ten are raised within eight minutes');

select * from finish();
rollback;
