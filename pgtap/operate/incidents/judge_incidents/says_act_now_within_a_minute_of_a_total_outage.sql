begin;
select plan(6);

select tasker_test.freeze('2026-11-21 10:00:00Z');
select tasker_test.simulate_work(0);
select is(max(tasker_test.quarter(60, 0)), null, 'ten minutes of 240 charges a minute without failures raise nothing') from generate_series(1, 40);

create temporary table outage as
  select g.no, tasker_test.quarter(60, 60) as severity from generate_series(1, 36) as g (no);
select cmp_ok(
  (select min(o.no) from outage as o where o.severity = 'act_now'), '<=', 4, 'a person must act now 60 seconds after the first charge failed, or earlier'
);
select is_empty(
  $$ select o.no from outage as o where o.severity is distinct from 'act_now' and o.no > 4 $$, 'the incident stays as severe while the outage goes on'
);

create temporary table after as
  select g.no, tasker_test.quarter(60, 0) as severity from generate_series(1, 80) as g (no);
select ok((select max(a.no) between 36 and 62 from after as a where a.severity = 'act_now'), 'the incident falls ten minutes after the last measure above its thresholds');
select is_empty($$ select a.no from after as a where a.no = 80 and a.severity is not null $$, 'the incident ends when no step stands failed');
select results_eq(
  $$ select i.kind, i.ended_at is not null from tasker.incidents as i $$, $$ values ('failing', true) $$, 'the ended incident is kept'
);

select * from finish();
rollback;
