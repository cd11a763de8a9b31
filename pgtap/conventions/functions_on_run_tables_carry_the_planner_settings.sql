-- A plan that is built again at each call, or that changes to a sequential scan when the statistics change, costs up to ten
-- times as much. Without jit = off the raised costs start the compiler, and the sum over all partitions starts parallel
-- workers (20 ms instead of 0.5 ms with 18 ranges). So every function that a role may call has these settings if it, or a
-- function that it reaches, touches a run table. Private functions run under the settings of their callers: settings of
-- their own would cost microseconds at each call.
begin;
select plan(3);

create temporary table planner_settings (setting) as
  values ('plan_cache_mode=force_generic_plan'), ('enable_hashjoin=off'), ('enable_mergejoin=off'),
         ('enable_seqscan=off'), ('jit=off'), ('max_parallel_workers_per_gather=0');

-- Reports, lists and maintenance that are not on a hot path and need the planner's free choice.
create temporary table exceptions (
  function  text  primary key,
  reason    text  not null
);

insert into exceptions (function, reason) values
  ('bound_health_counts', 'A report that counts everything in some namespaces.'),
  ('get_audit_by_time_range', 'A report of a period: it reads the index of time or a whole partition, whichever is less.'),
  ('check_integrity', 'A check that reads whole ranges.'),
  ('list_dlq_entries', 'A list with optional filters.'),
  ('list_waits', 'A list with optional filters: the best index depends on the filters of the call.'),
  ('list_tasks', 'A list with optional filters: the best index depends on the filters of the call.'),
  ('purge', 'Maintenance of tasklib with optional filters.'),
  ('stats', 'A report of tasklib that counts and may read whole indexes.');

-- The rules must find a function without settings, one that calls it and one with only some of them, but not a private one.
create function tasker.uncovered() returns bigint language sql
  as 'select count(*) from tasker.tasks';
create function tasker.reaching() returns bigint language sql
  as 'select tasker.uncovered()';
create function tasker.half_covered() returns bigint language sql set enable_seqscan = off
  as 'select 1::bigint';
create function tasker.private() returns bigint language sql
  as 'select count(*) from tasker.tasks';
revoke all on function tasker.private() from public;

-- Temporary tables, so that the bodies are searched only once.
create temporary table functions as
  select p.oid::regprocedure as function,
         p.pronamespace::regnamespace::text as schema,
         p.proname::text as name,
         coalesce(p.proconfig @> array(select s.setting from planner_settings as s), false)
           or p.proname in (select e.function from exceptions as e) as covered,
         coalesce(pg_get_function_sqlbody(p.oid), p.prosrc) as body,
         p.proacl is null or exists (select from aclexplode(p.proacl) as a where a.grantee <> p.proowner) as granted
    from pg_proc as p
   where p.pronamespace::regnamespace::text in ('tasker', 'tasklib');

create temporary table calls as
  select f.function as caller, c.function as callee
    from functions as f
   cross join lateral (
     select distinct m.found[1] as schema, m.found[2] as name
       from regexp_matches(f.body, '\m(tasker|tasklib)\.(\w+)\(', 'g') as m (found)
   ) as m
    join functions as c on c.schema = m.schema and c.name = m.name;

prepare uncovered as
  with recursive reaching (function) as (
    select f.function
      from functions as f
     where f.body ~ ('\m(from|join|into|update|using)\s+(only\s+)?tasker\.(tasks|workflow_steps|workflow_step_edges|added_step_edges|step_queue'
                  || '|timers|waiting_tasks|task_transition_log|workflow_step_transition_log|task_log|step_log|workflow_step_result_audit|step_result_log)\M'
                  || '|\m(from|join|into|update|using)\s+(only\s+)?tasklib\.(tasks|task_runs|task_limits)\M')
       and not f.covered
    union
    select f.function
      from reaching as r
      join calls as c on c.callee = r.function
      join functions as f on f.function = c.caller
     where not f.covered
  )
  select f.function
    from functions as f
    join reaching as r on r.function = f.function
   where f.granted;

prepare half_covered as
  select p.oid::regprocedure
    from pg_proc as p
   where p.pronamespace::regnamespace::text in ('tasker', 'tasklib')
     -- A report may set only jit = off: it reads rollups and needs hash joins.
     and p.proconfig && array(select s.setting from planner_settings as s where s.setting <> 'jit=off')
     and not p.proconfig @> array(select s.setting from planner_settings as s);

select set_eq(
  'uncovered', $$ values ('tasker.uncovered()'::regprocedure), ('tasker.reaching()') $$,
  'every public function that reaches a run table has all six settings; one without them is found, and its caller'
);
select set_eq(
  'half_covered', $$ values ('tasker.half_covered()'::regprocedure) $$,
  'a function with one of the settings, except jit = off, has all of them; one with only some is found'
);
select is_empty(
  $$
  select e.function
    from exceptions as e
   where not exists (select from pg_proc as p where p.pronamespace::regnamespace::text in ('tasker', 'tasklib') and p.proname = e.function)
  $$,
  'every exception names a function that exists'
);

select * from finish();
rollback;
