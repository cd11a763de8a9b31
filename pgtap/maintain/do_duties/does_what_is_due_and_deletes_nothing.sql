begin;
select plan(5);

select tasker_test.freeze('2026-11-21 10:00:30Z');
select tasker_test.take_turn();
select from tasker.turns where name = 'maintenance' for update;
update tasker.maintenance_jobs set last_finished_at = null, more_due = false, runs = 0;
-- What the real one changes in the catalogue is not rolled back.
create or replace function tasker.analyze_parents(p_older_than interval default interval '1 day') returns text language sql as
  'select null::text';
-- One after the other, until there is none.
create function pg_temp.duties() returns setof text language plpgsql as $$
declare
  v_job text;
begin
  loop
    select m.job into v_job from tasker.do_duties() as m;
    exit when v_job is null;
    return next v_job;
  end loop;
end;
$$;
prepare duties as select distinct d from pg_temp.duties() as d order by d;
select results_eq('execute duties', array['partitions', 'rollups', 'schedules', 'statistics'], 'the duties of workers');
select is_empty('execute duties', 'then none is due');
select tasker_test.pass('2 minutes');
select results_eq('execute duties', array['rollups', 'schedules'], 'until its time has come again');
select results_eq(
  'select j.job from tasker.maintenance_jobs as j where j.runs = 0 order by j.position',
  array['staleness', 'analytics', 'retention', 'identities', 'archives'],
  'what gives up work or deletes it is not done, however long it is due'
);
select is(
  (select m.job from tasker.run_maintenance() as m), 'staleness', 'an orchestrator does it'
);

select * from finish();
rollback;
