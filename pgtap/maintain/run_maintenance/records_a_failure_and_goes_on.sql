begin;
select plan(3);

select tasker_test.freeze('2026-11-21 10:00:30Z');
select from tasker.turns where name = 'maintenance' for update;
update tasker.maintenance_jobs set last_finished_at = case when job = 'schedules' then 'infinity' when position > 4 then tasker.clock() end, failures = 0;
delete from tasker.rollup_state;
select tasker.run_maintenance();
select results_eq(
  'select m.job, m.failures, m.last_done, m.last_error from tasker.run_maintenance() as m',
  $$ values ('rollups', 1::bigint, null::bigint, 'P0002: query returned no rows') $$, 'the job''s row says what went wrong'
);
select results_eq('select m.job from tasker.run_maintenance() as m', array['staleness'], 'the next one is not held up');
insert into tasker.rollup_state default values;
select tasker.run_maintenance();
select tasker_test.pass('61 seconds');
select results_eq('select m.job, m.last_error from tasker.run_maintenance() as m', $$ values ('rollups', null::text) $$, 'and it is tried again');

select * from finish();
rollback;
