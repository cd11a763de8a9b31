begin;
select plan(2);

select setseed(0.42);
select tasker_test.freeze('2026-11-21 10:00:00Z');
select tasker_test.simulate_work(0.001);
create temporary table heard as
  select g.no, tasker_test.quarter(60, tasker_test.some_of(0.06)) as severity from generate_series(1, 960) as g (no);

select cmp_ok((select sum(c.failures) from tasker.error_counts as c), '>', 3::numeric, 'cards were declined');
select is_empty($$ select h.no, h.severity from heard as h where h.severity is not null $$, 'four hours of 240 charges a minute, of which one in a thousand is declined, raise nothing');

select * from finish();
rollback;
