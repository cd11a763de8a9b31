begin;
select plan(4);

select tasker_test.freeze('2026-11-21 10:00:00Z');
select tasker_test.simulate_work(0, p_new => true);
select is(tasker_test.quarter(60, 0), null, 'nothing is raised before the first order fails');
select is(tasker_test.quarter(60, 1, 1), 'look_today', 'the first order that fails by a cause never seen is raised at the next judgement');
select is(max(tasker_test.quarter(60, case when g in (60, 180) then 1 else 0 end, case when g in (60, 180) then 1 else 0 end)), 'look_today', 'it stays raised for an hour and ten minutes')
  from generate_series(1, 280) as g;
select results_eq(
  $$ select i.rule, i.entries, i.severity from tasker.list_incidents() as i where i.kind = 'failing' $$, $$ values ('over', 3::bigint, 'look_today') $$,
  'the three orders are listed until their steps no longer stand failed'
);

select * from finish();
rollback;
