begin;
select plan(3);

select tasker_test.freeze('2026-11-21 10:00:30Z');
select from tasker.turns where name = 'maintenance' for update;
update tasker.maintenance_duties set last_finished_at = case when duty in ('schedules', 'incidents') then 'infinity' when position > 4 then tasker.clock() end, failures = 0;
delete from tasker.rollup_state;
select tasker.run_maintenance();
select results_eq(
  'select m.duty, m.failures, m.last_done, m.last_error from tasker.run_maintenance() as m',
  $$ values ('rollups', 1::bigint, null::bigint, 'P0002: query returned no rows') $$, 'the row of the duty has the error'
);
select results_eq('select m.duty from tasker.run_maintenance() as m', array['staleness'], 'the next duty runs after a failure');
insert into tasker.rollup_state default values;
select tasker.run_maintenance();
select tasker_test.pass('61 seconds');
select results_eq('select m.duty, m.last_error from tasker.run_maintenance() as m', $$ values ('rollups', null::text) $$, 'a failed duty runs again when its interval has passed');

select * from finish();
rollback;
