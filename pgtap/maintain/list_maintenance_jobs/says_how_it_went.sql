begin;
select plan(2);

select tasker_test.freeze();
select from tasker.turns where name = 'maintenance' for update;
select tasker.run_maintenance('rollups');
select results_eq(
  $$ select j.interval_setting, j.last_started_at from tasker.list_maintenance_jobs() as j where j.job = 'rollups' $$,
  $$ values ('rollup_seconds', tasker.clock()) $$, 'when'
);
select results_eq('select j.job from tasker.list_maintenance_jobs() as j', array['partitions', 'rollups', 'staleness', 'analytics', 'retention', 'identities', 'archives', 'statistics', 'schedules'], 'all of them');

select * from finish();
rollback;
