-- A plan that is made anew at each call, or turns to a sequential scan when the statistics change, costs
-- up to ten times as much; without jit = off the raised costs start the compiler, and the sum over all
-- partitions parallel workers (20 ms instead of half a one, at 18 ranges). So whatever touches a run table
-- carries these settings itself: a function without them would use its caller's.
begin;
select plan(5);

create temporary table planner_settings (setting) as
  values ('plan_cache_mode=force_generic_plan'), ('enable_hashjoin=off'), ('enable_mergejoin=off'),
         ('enable_seqscan=off'), ('jit=off'), ('max_parallel_workers_per_gather=0');

-- Here go functions that nobody waits for and that need the planner's free choice: reports, lists, DDL.
create temporary table exceptions (
  function  text  primary key,
  reason    text  not null
);

insert into exceptions (function, reason) values
  ('audit_problems', 'A check that reads whole ranges.'),
  ('backfill_step_result_audit', 'Reads whole ranges to find what is missing.'),
  ('get_audit_by_time_range', 'A report of a period: the index of time or all of a partition, whichever is less.'),
  ('history_problems', 'A check that reads whole ranges.'),
  ('list_dlq_entries', 'A list with optional filters.'),
  ('list_tasks', 'A list with optional filters: which index is right depends on those that are given.'),
  ('purge', 'Maintenance of tasklib with optional filters.'),
  ('stats', 'A report of tasklib: it counts, and may read whole indexes.');

prepare uncovered as
  select p.oid::regprocedure
    from pg_proc as p
   where p.pronamespace::regnamespace::text in ('tasker', 'tasklib')
     and p.prosqlbody is null
     and p.prosrc ~ ('\m(from|join|into|update|using)\s+(only\s+)?tasker\.(tasks|workflow_steps|workflow_step_edges|added_step_edges|step_queue'
                  || '|timers|waiting_tasks|task_transition_log|workflow_step_transition_log|workflow_step_result_audit)\M'
                  || '|\m(from|join|into|update|using)\s+(only\s+)?tasklib\.(tasks|task_runs|task_limits)\M')
     and not p.proname in (select e.function from exceptions as e)
     and not coalesce(p.proconfig @> array(select s.setting from planner_settings as s), false);

prepare half_covered as
  select p.oid::regprocedure
    from pg_proc as p
   where p.pronamespace::regnamespace::text in ('tasker', 'tasklib')
     -- A report may switch off the compiler alone: it reads rollups, and needs the joins.
     and p.proconfig && array(select s.setting from planner_settings as s where s.setting <> 'jit=off')
     and not p.proconfig @> array(select s.setting from planner_settings as s);

select is_empty('uncovered', 'every function that names a run table has all six settings');
select is_empty('half_covered', 'a function that has one of the settings, but for jit = off, has them all');
select is_empty(
  $$
  select e.function
    from exceptions as e
   where not exists (select from pg_proc as p where p.pronamespace::regnamespace::text in ('tasker', 'tasklib') and p.proname = e.function)
  $$,
  'every exception is still a function'
);

create function tasker.uncovered() returns bigint language sql
  as 'select count(*) from tasker.tasks';
create function tasker.half_covered() returns bigint language sql set enable_seqscan = off
  as 'select 1::bigint';

select set_has('uncovered', $$ values ('tasker.uncovered()'::regprocedure) $$, 'one that has none is found');
select set_has('half_covered', $$ values ('tasker.half_covered()'::regprocedure) $$, 'one that has only some is found');

select * from finish();
rollback;
