create or replace function tasker.guard_problems()
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
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
      ('kept_results',                 'kept_results_refuse_change',                'refuse_kept_change',     'A'),
      ('tasks_dlq',                    'tasks_dlq_refuse_delete',                   'refuse_run_change',      'A'),
      ('tasks_dlq',                    'tasks_dlq_refuse_key_update',               'refuse_run_change',      'A'),
      ('task_signals',                 'task_signals_refuse_delete',                'refuse_run_change',      'A'),
      ('task_signals',                 'task_signals_refuse_key_update',            'refuse_run_change',      'A'),
      ('broadcasts',                   'broadcasts_refuse_key_update',              'refuse_run_change',      'A'),
      ('settings',                     'settings_refuse_key_update',                'refuse_run_change',      'A'),
      ('added_step_edges',             'added_step_edges_check_insert',             'check_step_edges',       'O'),
      ('added_step_edges',             'added_step_edges_check_update',             'check_step_edges',       'O'),
      ('task_transition_log',          'task_transition_log_append_only',           'refuse_log_change',      'A'),
      ('task_transition_log',          'task_transition_log_no_truncate',           'refuse_log_change',      'A'),
      ('workflow_step_transition_log', 'workflow_step_transition_log_append_only',  'refuse_log_change',      'A'),
      ('workflow_step_transition_log', 'workflow_step_transition_log_no_truncate',  'refuse_log_change',      'A')
  ),
  constraints (table_name, name) as (
    values
      ('tasks', 'tasks_row_check'),
      ('workflow_steps', 'workflow_steps_row_check'),
      ('task_transition_log', 'task_transition_log_row_check'),
      ('workflow_step_transition_log', 'workflow_step_transition_log_row_check')
  ),
  -- Each guarded table and each of its partitions.
  guarded as materialized (
    select g.table_name, c.oid, c.relname::text as relation
      from (select t.table_name from triggers as t union select k.table_name from constraints as k) as g
     cross join lateral (
       select format('tasker.%I', g.table_name)::regclass::oid as oid
       union all
       select i.inhrelid
         from pg_inherits as i
        where i.inhparent = format('tasker.%I', g.table_name)::regclass
     ) as p
      join pg_class as c
        on c.oid = p.oid
     where c.relkind in ('r', 'p')
  )
  -- It has its triggers, with their functions, enabled.
  select null::uuid, null::integer, null::integer, c.relation, format('lacks the enabled trigger %s', g.name)
    from triggers as g
    join guarded as c
      on c.table_name = g.table_name
   where not exists (
     select
       from pg_trigger as t
      where t.tgrelid = c.oid
        and t.tgname = g.name
        and t.tgfoid = format('tasker.%I', g.function)::regproc
        and t.tgenabled::text in (g.enabled, 'A')
   )
  union all
  -- Its row constraints exist and are validated.
  select null, null, null, c.relation, format('lacks the constraint %s', g.name)
    from constraints as g
    join guarded as c
      on c.table_name = g.table_name
   where not exists (
     select
       from pg_constraint as k
       join pg_depend as d
         on d.classid = 'pg_constraint'::regclass
        and d.objid = k.oid
        and d.refclassid = 'pg_proc'::regclass
      where k.conrelid = c.oid
        and k.conname = g.name
        and k.convalidated
   )
  union all
  select null, null, null, c.relname::text, format('has the rule %s, which is not part of pgtasker', r.rulename)
    from pg_rewrite as r
    join pg_class as c
      on c.oid = r.ev_class
   where c.relnamespace = 'tasker'::regnamespace
     and c.relkind in ('r', 'p')
  union all
  -- The bodies of the guards.
  select null, null, null, g.name, 'is a guard whose body differs from this version'
    from (values
      ('check_step_edges', 'a1e944d1bab5dcc1d159fb8d26fca5d1'),
      ('check_step_move', '0e208bcd2405d6b7663792a9de9e699d'),
      ('check_step_row', '021615af79ec5dc6a7ead410b9beef74'),
      ('check_step_tasks', '05e92cd63ca331740edbd2a47c375b4e'),
      ('check_task_move', '7cebcd704502381a8f29cfa006b65190'),
      ('check_task_row', '92c7367d87a99fe53dbe4633877f2086'),
      ('refuse_graph_change', '41fb37ab84b4325b152cccfe726982d8'),
      ('refuse_kept_change', '196aef909e9070af8feb335886db443c'),
      ('refuse_log_change', '0f4b442134cc5a27397f61bf4bcc3383'),
      ('refuse_registry_delete', '71f42a138bc607ded92ea60db491bf0c'),
      ('refuse_run_change', '385b5fe496018527f1dcdbb03f07c041')
    ) as g (name, body)
   where not exists (
     select
       from pg_proc as p
      where p.pronamespace = 'tasker'::regnamespace
        and p.proname = g.name
        and md5(p.prosrc) = g.body
   )
  union all
  -- The state machines.
  select null, null, null, m.name, 'is not the state machine of this version'
    from (
      select 'step_state_machine' as name, md5(string_agg(concat_ws(' ', s.from_state, s.event, s.to_state, s.position), ',' order by s.from_state, s.event, s.to_state)) as content
        from tasker.step_state_machine as s
      union all
      select 'task_state_machine', md5(string_agg(concat_ws(' ', s.from_state, s.event, s.to_state, s.position), ',' order by s.from_state, s.event, s.to_state))
        from tasker.task_state_machine as s
    ) as m
   where m.content <> case m.name when 'step_state_machine' then 'f7fb2ec62026108a0e7c752814c52fd1' else '2c8bade5ff5d85dad09944ba80634aa8' end
  union all
  -- Templates are unchanged since their registration.
  select null, null, null, 'named_tasks', format('template "%s" version "%s" was changed after its registration', k.name, k.version)
    from tasker.named_tasks as k
   where k.configuration <> '{}'
     and (
       k.content_hash <> sha256(convert_to(k.configuration::text, 'UTF8'))
       or k.identity_strategy <> k.configuration ->> 'identity_strategy'
       or k.on_failure <> k.configuration ->> 'on_failure'
       or k.total_steps <> jsonb_array_length(k.configuration -> 'steps')
       or k.total_steps <> (select count(*) from tasker.named_tasks_named_steps as s where s.named_task_uuid = k.named_task_uuid)
       or k.root_steps <> (
         select count(*)
           from tasker.named_tasks_named_steps as s
          where s.named_task_uuid = k.named_task_uuid
            and s.total_parents = 0
            and s.for_each is null
       )
     );
end;
$$;

comment on function tasker.guard_problems() is
$$Finds guards that are missing, disabled or altered: triggers of tables and partitions, their functions' bodies, row constraints, rules, state machines, and templates that were changed after their registration.$$;

revoke all on function tasker.guard_problems() from public;
