begin;
select plan(8);

select tasker_test.freeze('2026-11-21 10:00:30Z');
select from tasker.turns where name = 'maintenance' for update;
update tasker.maintenance_jobs set last_finished_at = null, runs = 0;
-- Two tables. What the real one changes in the catalogue is not rolled back, and other tests would be planned by it.
create or replace function tasker.analyze_parents(p_older_than interval default interval '1 day') returns text language sql as
  $$ select ('{tasks,workflow_steps}'::text[])[j.runs + 1] from tasker.maintenance_jobs as j where j.job = 'statistics' $$;
create function pg_temp.jobs() returns setof text language plpgsql as $$
declare
  v_job text;
begin
  loop
    select m.job into v_job from tasker.run_maintenance() as m;
    exit when v_job is null;
    return next v_job;
  end loop;
end;
$$;
prepare jobs as select j from pg_temp.jobs() as j;
select results_eq(
  $$ select distinct on (n) j from pg_temp.jobs() with ordinality as j (j, o) cross join lateral (select case j when 'schedules' then 9 else least(o, 8) end as n) as n order by n, o $$,
  array['partitions', 'rollups', 'staleness', 'analytics', 'retention', 'identities', 'archives', 'statistics', 'schedules'],
  'each once, in its order, statistics table by table'
);
select results_eq(
  $$ select j.runs, j.last_done, j.last_detail from tasker.list_maintenance_jobs() as j where j.job = 'statistics' $$,
  $$ values (3::bigint, 0::bigint, null::text) $$, 'until none is left'
);
create or replace function tasker.analyze_parents(p_older_than interval default interval '1 day') returns text language sql as
  $$ select 'tasks' $$;
select results_eq(
  $$ select m.more_due from generate_series(1, 2) as n cross join lateral tasker.run_maintenance('statistics' || left(n::text, 0)) as m $$,
  'values (true), (false)', 'and not for ever, where all calls are one transaction'
);
select tasker_test.pass('59 seconds');
select is_empty('jobs', 'then none');
-- What is counted from is the end of the job, and this machine may be slow.
select tasker_test.pass('20 seconds');
select results_eq('jobs', array['rollups', 'schedules'], 'after a minute the rollups and the schedules');
select results_eq($$ select m.job, m.last_error from tasker.run_maintenance('analytics') as m $$, $$ values ('analytics', null::text) $$, 'one that is named, at any time');
select throws_ok($$ select tasker.run_maintenance('sweeping') $$, 'TK404', 'maintenance has no job "sweeping"', 'no such job');
select results_eq(
  'select j.job, j.failures from tasker.list_maintenance_jobs() as j',
  $$ select j.job, 0::bigint from tasker.list_maintenance_jobs() as j $$, 'none has failed'
);

select * from finish();
rollback;
