create or replace function tasker.trigger_problems()
  returns setof tasker.integrity_problems
  language plpgsql
  stable
as $$
begin
  return query
  with triggers (table_name, name, function, enabled) as (
    values
      ('named_tasks',                  'named_tasks_refuse_delete',                 'refuse_registry_delete', 'A'),
      ('named_steps',                  'named_steps_refuse_delete',                 'refuse_registry_delete', 'A'),
      ('named_task_edges',             'named_task_edges_check_insert',             'refuse_graph_change',    'O'),
      ('named_task_edges',             'named_task_edges_check_update',             'refuse_graph_change',    'A'),
      ('named_task_edges',             'named_task_edges_check_delete',             'refuse_graph_change',    'A'),
      ('named_task_edges',             'named_task_edges_no_truncate',              'refuse_registry_delete', 'A'),
      ('tasks',                        'tasks_refuse_delete',                       'refuse_run_change',      'A'),
      ('tasks',                        'tasks_refuse_key_update',                   'refuse_run_change',      'A'),
      ('workflow_steps',               'workflow_steps_refuse_delete',              'refuse_run_change',      'A'),
      ('workflow_steps',               'workflow_steps_refuse_key_update',          'refuse_run_change',      'A'),
      ('workflow_steps',               'workflow_steps_check_insert',               'check_step_tasks',       'O'),
      ('task_identities',              'task_identities_refuse_delete',             'refuse_identity_delete', 'A'),
      ('kept_results',                 'kept_results_refuse_change',                'refuse_kept_change',     'A'),
      ('step_streams',                 'step_streams_refuse_delete',                'refuse_stream_change',   'A'),
      ('stream_items',                 'stream_items_refuse_change',                'refuse_stream_change',   'A'),
      ('tasks_dlq',                    'tasks_dlq_refuse_delete',                   'refuse_run_change',      'A'),
      ('tasks_dlq',                    'tasks_dlq_refuse_key_update',               'refuse_run_change',      'A'),
      ('task_signals',                 'task_signals_refuse_delete',                'refuse_run_change',      'A'),
      ('task_signals',                 'task_signals_refuse_key_update',            'refuse_run_change',      'A'),
      ('erasures',                     'erasures_refuse_change',                    'refuse_log_change',      'A'),
      ('erasures',                     'erasures_no_truncate',                      'refuse_log_change',      'A'),
      ('broadcasts',                   'broadcasts_refuse_key_update',              'refuse_run_change',      'A'),
      ('settings',                     'settings_refuse_key_update',                'refuse_run_change',      'A'),
      ('added_step_edges',             'added_step_edges_check_insert',             'check_step_edges',       'O'),
      ('added_step_edges',             'added_step_edges_check_update',             'check_step_edges',       'O'),
      ('task_log',                     'task_log_append_only',                      'refuse_log_change',      'A'),
      ('task_log',                     'task_log_no_truncate',                      'refuse_log_change',      'A'),
      ('step_log',                     'step_log_append_only',                      'refuse_log_change',      'A'),
      ('step_log',                     'step_log_no_truncate',                      'refuse_log_change',      'A'),
      ('task_log_paths',               'task_log_paths_append_only',                'refuse_log_change',      'A'),
      ('task_log_paths',               'task_log_paths_no_truncate',                'refuse_log_change',      'A'),
      ('step_log_paths',               'step_log_paths_append_only',                'refuse_log_change',      'A'),
      ('step_log_paths',               'step_log_paths_no_truncate',                'refuse_log_change',      'A'),
      ('administration_log',           'administration_log_append_only',            'refuse_log_change',      'A'),
      ('administration_log',           'administration_log_no_truncate',            'refuse_log_change',      'A')
    union all
    select a.name, regexp_replace(a.name, '^.*\.', '') || e.event, 'log_administration', 'A'
      from tasker.administered_tables as a
     cross join (values ('_log_change'), ('_log_truncate')) as e (event)
  )
  -- Each table has its triggers, with their functions, enabled.
  select null::uuid, null::integer, null::integer, c.relname::text, format('lacks the enabled trigger %s', g.name)
    from triggers as g
   cross join unnest(tasker.relations_of(g.table_name)) as r (oid)
    join pg_class as c
      on c.oid = r.oid
   where not exists (
     select
       from pg_trigger as t
      where t.tgrelid = c.oid
        and t.tgname = g.name
        and t.tgfoid = format('tasker.%I', g.function)::regproc
        and t.tgenabled::text in (g.enabled, 'A')
   );
end;
$$;

comment on function tasker.trigger_problems is
$$Finds guarded tables and partitions that lack a trigger, or whose trigger is disabled or has another function.$$;
