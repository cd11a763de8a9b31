-- The public interface of tasklib: the functions that some role may call, with the names and defaults of their arguments,
-- their result, their volatility and whose rights they run with.
begin;
select plan(2);

create temporary table public_functions (
  signature   text  primary key,
  returns     text  not null,
  volatility  text  not null,
  security    text  not null
);

insert into public_functions (signature, returns, volatility, security) values
  ('cancel_task(p_id uuid, p_reason text default null)',
   'boolean', 'volatile', 'definer'),
  ('claim_tasks(p_names text[], p_worker_id text, p_limit integer default 1, p_lock_seconds integer default null)',
   'setof tasklib.claimed_tasks', 'volatile', 'definer'),
  ('clock()',
   'timestamptz', 'stable', 'invoker'),
  ('complete_tasks(p_worker_id text, p_ids uuid[], p_claim_nos integer[], p_results jsonb[] default null)',
   'setof tasklib.task_outcomes', 'volatile', 'definer'),
  ('extend_locks(p_worker_id text, p_ids uuid[], p_claim_nos integer[], p_lock_seconds integer default null)',
   'setof tasklib.task_outcomes', 'volatile', 'definer'),
  ('fail_tasks(p_worker_id text, p_ids uuid[], p_claim_nos integer[], p_errors text[], p_permanent boolean[] default null, p_retry_after_seconds double precision[] default null precision[])',
   'setof tasklib.task_outcomes', 'volatile', 'definer'),
  ('find_tasks_by_short_id(p_short_id text)',
   'setof uuid', 'stable', 'definer'),
  ('fire_schedules(p_limit integer default 100)',
   'integer', 'volatile', 'definer'),
  ('get_registered_tasks()',
   'setof tasklib.registered_tasks', 'stable', 'definer'),
  ('get_setting(p_name text)',
   'text', 'stable', 'definer'),
  ('get_task(p_id uuid)',
   'setof tasklib.task_details', 'stable', 'definer'),
  ('list_claims(p_names text[], p_worker_id text)',
   'setof tasklib.claimed_tasks', 'stable', 'definer'),
  ('list_schedule_ticks(p_schedule text, p_limit integer default 100, p_before bigint default null)',
   'setof tasklib.schedule_ticks', 'stable', 'definer'),
  ('list_schedules()',
   'setof tasklib.schedules', 'stable', 'definer'),
  ('list_settings()',
   'setof tasklib.settings', 'stable', 'definer'),
  ('list_task_actions(p_id uuid default null, p_before bigint default null, p_limit integer default 100)',
   'setof tasklib.task_actions', 'stable', 'definer'),
  ('list_task_runs(p_id uuid)',
   'setof tasklib.task_runs', 'stable', 'definer'),
  ('list_tasks(p_state text default null, p_name text default null, p_limit integer default 100, p_tags jsonb default null, p_before uuid default null)',
   'setof tasklib.task_details', 'stable', 'definer'),
  ('mark_awake(p_worker_id text, p_names text[])',
   'boolean', 'volatile', 'definer'),
  ('mark_sleeping(p_worker_id text, p_names text[], p_seconds integer default 30)',
   'boolean', 'volatile', 'definer'),
  ('next_claim_in(p_names text[])',
   'double precision', 'stable', 'definer'),
  ('next_tick(p_cron text, p_timezone text default ''UTC'', p_after timestamptz default null)',
   'timestamptz', 'stable', 'definer'),
  ('open_writers(p_writers bigint[] default null)',
   'bigint[]', 'volatile', 'definer'),
  ('pause_task(p_name text, p_actor text default null, p_reason text default null)',
   'boolean', 'volatile', 'definer'),
  ('purge(p_before timestamptz, p_state text default null, p_name text default null, p_limit integer default 10000)',
   'integer', 'volatile', 'definer'),
  ('purge_expired(p_limit integer default 1000)',
   'integer', 'volatile', 'definer'),
  ('recover_dead(p_names text[] default null, p_limit integer default 1000)',
   'integer', 'volatile', 'definer'),
  ('register_task(p_name text, p_options jsonb default ''{}'', p_actor text default null, p_reason text default null)',
   'setof tasklib.registered_tasks', 'volatile', 'definer'),
  ('release_tasks(p_worker_id text, p_ids uuid[], p_claim_nos integer[])',
   'setof tasklib.task_outcomes', 'volatile', 'definer'),
  ('restrict_task(p_name text, p_roles text[], p_actor text default null, p_reason text default null)',
   'setof tasklib.registered_tasks', 'volatile', 'definer'),
  ('resume_task(p_name text, p_actor text default null, p_reason text default null)',
   'boolean', 'volatile', 'definer'),
  ('retry_delay(p_retry_count integer, p_base double precision default null precision, p_multiplier double precision default null precision)',
   'double precision', 'volatile', 'definer'),
  ('erase_task(p_id uuid, p_reason text)',
   'boolean', 'volatile', 'definer'),
  ('retry_task(p_id uuid, p_delay_seconds double precision default 0)',
   'boolean', 'volatile', 'definer'),
  ('schedule_task(p_schedule text, p_name text, p_cron text, p_timezone text default ''UTC'', p_kwargs jsonb default ''{}'', p_missed text default ''once'', p_priority integer default 0, p_max_retries integer default null, p_timeout_seconds integer default null, p_tags jsonb default ''{}'', p_actor text default null, p_reason text default null)',
   'setof tasklib.schedules', 'volatile', 'definer'),
  ('set_setting(p_name text, p_value text, p_actor text default null, p_reason text default null)',
   'text', 'volatile', 'definer'),
  ('stats(p_name text default null, p_since_seconds double precision default 3600)',
   'setof tasklib.task_stats', 'stable', 'definer'),
  ('submit_task(p_name text, p_kwargs jsonb default ''{}'', p_delay_seconds double precision default 0, p_priority integer default 0, p_max_retries integer default null, p_timeout_seconds integer default null, p_tags jsonb default null, p_dedup_key text default null, p_dedup_kept boolean default false, p_limit_key text default null)',
   'setof tasklib.task_submissions', 'volatile', 'definer'),
  ('submit_tasks(p_name text, p_kwargs jsonb[], p_delay_seconds double precision[] default null precision[], p_priorities integer[] default null, p_max_retries integer[] default null, p_timeout_seconds integer[] default null, p_tags jsonb[] default null, p_dedup_keys text[] default null, p_dedup_kept boolean default false, p_limit_keys text[] default null)',
   'setof tasklib.task_submissions', 'volatile', 'definer'),
  ('unschedule_task(p_schedule text, p_actor text default null, p_reason text default null)',
   'boolean', 'volatile', 'definer');

prepare functions as
  select format(
           '%s(%s)', p.proname,
           -- Written as in the schema files: short type names, defaults without their casts.
           replace(replace(
             regexp_replace(replace(pg_get_function_arguments(p.oid), 'timestamp with time zone', 'timestamptz'), ' DEFAULT (NULL|''[^'']*'')::\w+(\[\])?', ' default \1', 'g'),
             'default NULL', 'default null'
           ), 'DEFAULT', 'default')
         ) collate "default" as signature,
         replace(replace(pg_get_function_result(p.oid), 'SETOF', 'setof'), 'timestamp with time zone', 'timestamptz') as returns,
         case p.provolatile when 'i' then 'immutable' when 's' then 'stable' else 'volatile' end as volatility,
         case when p.prosecdef then 'definer' else 'invoker' end as security
    from pg_proc as p
   where p.pronamespace = 'tasklib'::regnamespace
     and exists (select from aclexplode(p.proacl) as a where a.grantee <> p.proowner);

select set_eq('functions', 'select * from public_functions', 'exactly these functions are public');
select is_empty(
  $$
  select p.oid::regprocedure
    from pg_proc as p
   where p.pronamespace = 'tasklib'::regnamespace
     and not p.prosecdef
     and p.prosqlbody is null
     and exists (select from aclexplode(p.proacl) as a where a.grantee is distinct from p.proowner)
  $$,
  'every public function is SECURITY DEFINER, except arithmetic and the clock'
);

select * from finish();
rollback;
