-- Each table is a task's, or the engine's own, or written only by migrations; changes of any other are in tasker.administration_log,
-- whichever function makes them, because triggers write it. So a new table, and a new function, cannot be forgotten.
begin;
select plan(6);

create temporary table others (name text primary key, why text not null);
insert into others (name, why)
select u.name, 'tasks, steps, and what belongs to one'
  from unnest('{tasks,workflow_steps,added_step_edges,task_log,step_log,task_identities,kept_results,step_streams,stream_items,task_attributes,task_signals,tasks_dlq,broadcasts,waits,task_debounces}'::text[]) as u (name)
union all
select u.name, 'what the engine has yet to do, or notes while it works'
  from unnest('{step_queue,limit_keys,limit_input_bounds,limit_lines,limit_notes,limit_places,runs,waiting_tasks,finalization_claims,timers,failed_timers,full_trees,broadcast_receipts,broadcast_retries,creation_throttles,workers,sleepers,lease_clock,turns,kept_moves,kept_changes,schedule_ticks,feed_lists,dead_events,missed_events,queue_notifications,maintenance_duties,refused_programs,selections,selection_entries,sql_slots,sql_attempts}'::text[]) as u (name)
union all
select u.name, 'computed from other rows'
  from unnest('{settings_now,creation_plans,queue_history,rollup_state,incidents,incident_watch,error_causes,error_counts,error_hours,error_stands,error_steps,handler_hours,result_totals,step_rollups,step_totals,task_rollups,task_totals,work_rollups}'::text[]) as u (name)
union all
select u.name, 'a part of a template, whose row is logged and which never changes'
  from unnest('{named_steps,named_tasks_named_steps,named_task_edges,event_triggers,limit_handlers,attributes,template_attributes}'::text[]) as u (name)
union all
select u.name, 'written by migrations only'
  from unnest('{incident_rules,step_state_machine,step_states,step_sweeps,step_log_paths,task_log_paths,task_paths,task_state_machine,task_states,template_fields,partitioned_tables,administered_tables,schema_builds,schema_objects}'::text[]) as u (name)
union all
select 'administration_log', 'the log itself';

select set_eq(
  $$
  select c.relname::text
    from pg_class as c
   where c.relnamespace = 'tasker'::regnamespace
     and c.relkind in ('r', 'p')
     and not c.relispartition
  $$,
  $$ select o.name from others as o union all select a.name from tasker.administered_tables as a where a.name not like '%.%' $$,
  'each table is administered, or a task''s, the engine''s or the migrations'''
);
select is_empty(
  $$
  select a.name, e.event
    from tasker.administered_tables as a
   -- The bits of insert, delete, update, truncate.
   cross join (values ('insert', 4), ('delete', 8), ('update', 16), ('truncate', 32)) as e (event, bit)
   where not exists (
     select
       from pg_trigger as t
      where t.tgrelid = tasker.administered_table(a.name)::regclass
        and t.tgfoid = 'tasker.log_administration'::regproc
        and t.tgtype::integer & e.bit > 0
        and t.tgenabled = 'A'
   )
  $$,
  'each change of an administered table is logged, whichever session_replication_role is set'
);
select is_empty(
  $$
  select a.name, u.name
    from tasker.administered_tables as a
   cross join lateral unnest(a.key_columns || a.left_out) as u (name)
   where not exists (
     select
       from pg_attribute as c
      where c.attrelid = tasker.administered_table(a.name)::regclass
        and c.attname = u.name
   )
  $$,
  'the columns that the list of tables names exist'
);
select is_empty(
  $$
  select p.proname
    from pg_proc as p
   where p.pronamespace = 'tasker'::regnamespace
     and p.prosrc ~ 'pgmq\.(create|drop_queue|convert)|cron\.(schedule|unschedule|alter)'
     and (p.prosrc ~ 'note_administration') is not true
     -- setup_cron has note_cron_job do it; the others run in migrations.
     and p.proname not in ('setup_cron', 'move_queue_to_extension', 'move_pgmq_to_extension', 'drop_own_pgmq')
  $$,
  'functions that change what other schemas hold note it'
);
select set_eq(
  $$
  select p.oid::regprocedure::text
    from pg_proc as p
   where coalesce(pg_get_function_sqlbody(p.oid), p.prosrc) ~ '\mtasker\.administer\('
  $$,
  $$
  select p.oid::regprocedure::text
    from pg_proc as p
   where p.pronamespace in ('tasker'::regnamespace, 'tasklib'::regnamespace)
     and p.prosecdef
     and p.proargnames @> '{p_actor,p_reason}'
     -- What changes a task is in its history; a task that a schedule creates has both itself.
     and p.proname !~ '_(task|tasks|step|steps)(_manually|_by_name)?$|^(setup_cron|run_schedule_now|requeue_dlq_entries)$'
     -- A change of many has an entry in the log of administration, too.
      or p.pronamespace = 'tasker'::regnamespace and p.proname in ('cancel_tasks', 'retry_steps')
     -- Changes that the history of the task does not have.
      or p.pronamespace = 'tasker'::regnamespace and p.proname in ('pause_task', 'resume_task', 'change_task')
     -- An erasure takes its reasons out of the history.
      or p.pronamespace = 'tasker'::regnamespace and p.proname in ('erase_task', 'erase_tasks')
      or p.pronamespace = 'tasker'::regnamespace and p.proname = 'register_task_template'
      or p.pronamespace = 'tasklib'::regnamespace and p.prosecdef and 'p_reason' = any (p.proargnames) and p.proname not in ('cancel_task', 'erase_task')
  $$,
  'each function that takes who and why notes them'
);
select is_empty(
  $$
  select p.proname
    from pg_proc as p
   where p.pronamespace = 'tasker'::regnamespace
     and p.prosrc ~* '(disable|drop)\s+trigger|session_replication_role'
     and p.proname is distinct from 'refuse_run_change'
  $$,
  'no function goes round the triggers'
);

select * from finish();
rollback;
