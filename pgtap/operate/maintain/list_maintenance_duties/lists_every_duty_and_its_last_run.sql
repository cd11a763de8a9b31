begin;
select plan(2);

select tasker_test.freeze();
select from tasker.turns where name = 'maintenance' for update;
select tasker.run_maintenance('rollups');
select results_eq(
  $$ select j.interval_setting, j.last_started_at from tasker.list_maintenance_duties() as j where j.duty = 'rollups' $$,
  $$ values ('rollup_seconds', tasker.clock()) $$, 'a duty has its setting and the time of its last start'
);
select results_eq('select j.duty from tasker.list_maintenance_duties() as j', array['partitions', 'rollups', 'staleness', 'analytics', 'retention', 'identities', 'archives', 'statistics', 'schedules', 'incidents', 'mass_actions'], 'it lists every duty in order');

select * from finish();
rollback;
