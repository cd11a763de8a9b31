begin;
select plan(8);

select tasker_test.freeze('2026-11-21 10:00:30Z');
select from tasker.turns where name = 'maintenance' for update;
update tasker.maintenance_duties set last_finished_at = null, runs = 0;
-- A stand-in for two tables. The real function changes the catalogue in place, which a rollback does not undo, and so would
-- change the plans of other tests.
create or replace function tasker.analyze_parents(p_older_than interval default interval '1 day') returns text language sql as
  $$ select ('{tasks,workflow_steps}'::text[])[j.runs + 1] from tasker.maintenance_duties as j where j.duty = 'statistics' $$;
create function pg_temp.duties() returns setof text language plpgsql as $$
declare
  v_duty text;
begin
  loop
    select m.duty into v_duty from tasker.run_maintenance() as m;
    exit when v_duty is null;
    return next v_duty;
  end loop;
end;
$$;
prepare duties as select j from pg_temp.duties() as j;
select results_eq(
  $$ select distinct on (n) j from pg_temp.duties() with ordinality as j (j, o) cross join lateral (select case j when 'schedules' then 9 when 'incidents' then 10 else least(o, 8) end as n) as n order by n, o $$,
  array['partitions', 'rollups', 'staleness', 'analytics', 'retention', 'identities', 'archives', 'statistics', 'schedules', 'incidents'],
  'every duty runs in its order, and statistics once for each table'
);
select results_eq(
  $$ select j.runs, j.last_done, j.last_detail from tasker.list_maintenance_duties() as j where j.duty = 'statistics' $$,
  $$ values (3::bigint, 0::bigint, null::text) $$, 'statistics ran until no table was left'
);
create or replace function tasker.analyze_parents(p_older_than interval default interval '1 day') returns text language sql as
  $$ select 'tasks' $$;
select results_eq(
  $$ select m.more_due from generate_series(1, 2) as n cross join lateral tasker.run_maintenance('statistics' || left(n::text, 0)) as m $$,
  'values (true), (false)', 'statistics does not run for ever within one transaction'
);
select tasker_test.pass('10 seconds');
select is_empty('duties', 'no duty is due within ten seconds');
-- The interval begins with the end of the duty, and this machine may be slow.
select tasker_test.pass('69 seconds');
select results_eq('duties', array['rollups', 'schedules', 'incidents'], 'rollups, schedules and incidents are due after a minute');
select results_eq($$ select m.duty, m.last_error from tasker.run_maintenance('analytics') as m $$, $$ values ('analytics', null::text) $$, 'a duty that is named runs at any time');
select throws_ok($$ select tasker.run_maintenance('sweeping') $$, 'TK404', 'maintenance has no duty "sweeping"', 'an unknown duty is refused');
select results_eq(
  'select j.duty, j.failures from tasker.list_maintenance_duties() as j',
  $$ select j.duty, 0::bigint from tasker.list_maintenance_duties() as j $$, 'no duty has failed'
);

select * from finish();
rollback;
