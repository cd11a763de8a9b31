-- down: delete from tasker.administered_tables;
insert into tasker.administered_tables (name, key_columns, left_out, seeded)
values
  ('access_maps', '{claim,value}', '{}', false),
  ('access_sessions', '{session_uuid}', '{token_hash,sign_in_hash,claims,sealed,renewable,seen_at,refresh_at}', false),
  ('access_tokens', '{name}', '{token_hash}', false),
  ('erasures', '{task_uuid}', '{}', false),
  ('handler_pauses', '{namespace,handler}', '{}', false),
  ('incident_acknowledgements', '{incident}', '{}', false),
  ('limit_bounds', '{namespace,name,limit_key}', '{limit_no}', false),
  ('limits', '{namespace,name}', '{limit_no,version,with_places}', false),
  (
    'mass_actions', '{selection_uuid}', '{stage,stage_at,since,paced,acted_at,ran_at,judged_to,waits,open,passed,failed,skipped}', false
  ),
  ('named_tasks', '{name,version}', '{configuration,content_hash,total_steps,root_steps,waiting_roots}', false),
  ('partition_config', '{only_row}', '{pg_partman_problem}', true),
  ('partition_ranges', '{suffix}', '{busy_count,retry_at,kept,collected}', true),
  ('retentions', '{namespace,template}', '{}', false),
  ('role_bindings', '{role,namespace}', '{}', false),
  (
    'schedules', '{namespace,schedule}',
    '{schedule_uuid,anchor_at,next_tick_at,due_at,queued_tick_at,backfill_next_at,last_tick_at,last_task_uuid,running_tasks,caught_up,tick_count,failures,last_error,last_error_at,checked_at}',
    false
  ),
  ('sql_roles', '{namespace}', '{}', false),
  ('settings', '{name}', '{kind,default_value,minimum,maximum,choices,description}', true),
  (
    'subscriptions', '{subscription}',
    '{snapshot,snapshot_at,since,until,until_at,window_no,place_at,place_task_uuid,place_step_no,place_sort_key,list_no,list_end,last_key,slice_seconds,reader_uuid,reader,leased_until,delivered,dead,failures,last_error,last_error_at,next_attempt_at}',
    false
  ),
  ('task_namespaces', '{name}', '{}', false);
