begin;
select plan(5);

select tasker_test.freeze('2026-11-21 10:00:30Z');
select tasker_test.take_turn();
select from tasker.turns where name = 'maintenance' for update;
update tasker.maintenance_duties set last_finished_at = null, more_due = false, runs = 0;
-- The real function changes the catalogue in place, which a rollback does not undo.
create or replace function tasker.analyze_parents(p_older_than interval default interval '1 day') returns text language sql as
  'select null::text';
-- Run one duty after the other until none is due.
create function pg_temp.duties() returns setof text language plpgsql as $$
declare
  v_duty text;
begin
  loop
    select m.duty into v_duty from tasker.do_duties() as m;
    exit when v_duty is null;
    return next v_duty;
  end loop;
end;
$$;
prepare duties as select distinct d from pg_temp.duties() as d order by d;
select results_eq('execute duties', array['incidents', 'partitions', 'rollups', 'schedules', 'statistics'], 'a worker runs the duties of workers');
select is_empty('execute duties', 'no duty is due after that');
select tasker_test.pass('2 minutes');
select results_eq('execute duties', array['incidents', 'rollups', 'schedules'], 'a duty runs again when its interval has passed');
select results_eq(
  'select j.duty from tasker.maintenance_duties as j where j.runs = 0 order by j.position',
  array['staleness', 'analytics', 'retention', 'identities', 'archives', 'mass_actions'],
  'a worker never runs a duty that gives work up or deletes it'
);
select is(
  (select m.duty from tasker.run_maintenance() as m), 'staleness', 'an orchestrator runs such a duty'
);

select * from finish();
rollback;
