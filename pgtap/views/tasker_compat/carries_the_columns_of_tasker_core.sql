begin;
select plan(14);

create function pg_temp.missing(p_view text, variadic p_columns text[])
  returns text[]
  language sql
as $$
  select array_agg(u.name)
    from unnest(p_columns) as u (name)
   where not exists (
     select
       from pg_attribute as a
      where a.attrelid = format('tasker_compat.%I', p_view)::regclass
        and a.attname = u.name
        and a.attnum > 0
   );
$$;

select is(pg_temp.missing('tasks', 'task_uuid', 'named_task_uuid', 'state', 'complete', 'priority', 'requested_at', 'created_at',
  'updated_at', 'correlation_id', 'parent_correlation_id', 'identity_hash', 'current_state',
  'finalization_claimed_at', 'finalization_claimed_by'), null, 'tasks has all columns of tasker-core');
select is(pg_temp.missing('workflow_steps', 'workflow_step_uuid', 'task_uuid', 'named_step_uuid', 'processed', 'in_process', 'attempts',
  'max_attempts', 'retry_limit', 'retryable', 'results', 'backoff_request_seconds', 'last_attempted_at', 'checkpoint'), null, 'workflow_steps has all columns of tasker-core');
select is(pg_temp.missing('workflow_step_edges', 'workflow_step_edge_uuid', 'from_step_uuid', 'to_step_uuid', 'name', 'created_at', 'updated_at'), null, 'workflow_step_edges has all columns of tasker-core');
select is(pg_temp.missing('task_transitions', 'task_transition_uuid', 'task_uuid', 'to_state', 'from_state', 'processor_uuid', 'metadata',
  'transition_metadata', 'sort_key', 'most_recent', 'created_at', 'updated_at'), null, 'task_transitions has all columns of tasker-core');
select is(pg_temp.missing('workflow_step_transitions', 'workflow_step_transition_uuid', 'workflow_step_uuid', 'to_state', 'from_state',
  'metadata', 'sort_key', 'most_recent', 'created_at', 'updated_at'), null, 'workflow_step_transitions has all columns of tasker-core');
select is(pg_temp.missing('workflow_step_result_audit', 'workflow_step_result_audit_uuid', 'workflow_step_uuid',
  'workflow_step_transition_uuid', 'task_uuid', 'recorded_at', 'worker_uuid', 'correlation_id', 'success', 'execution_time_ms',
  'created_at', 'updated_at'), null, 'workflow_step_result_audit has all columns of tasker-core');
select is(pg_temp.missing('task_namespaces', 'task_namespace_uuid', 'name'), null, 'task_namespaces has all columns of tasker-core');
select is(pg_temp.missing('named_tasks', 'named_task_uuid', 'namespace_id', 'name', 'version', 'identity_strategy'), null, 'named_tasks has all columns of tasker-core');
select is(pg_temp.missing('named_steps', 'named_step_uuid', 'system_name'), null, 'named_steps has all columns of tasker-core');
select is(pg_temp.missing('named_tasks_named_steps', 'ntns_uuid', 'named_task_uuid', 'named_step_uuid', 'default_retryable',
  'default_max_attempts', 'created_at', 'updated_at'), null, 'named_tasks_named_steps has all columns of tasker-core');
select is(pg_temp.missing('tasks_dlq', 'dlq_entry_uuid', 'task_uuid', 'original_state', 'dlq_reason', 'dlq_timestamp', 'resolution_status',
  'resolution_timestamp', 'resolution_notes', 'resolved_by', 'task_snapshot', 'metadata', 'created_at', 'updated_at'), null, 'tasks_dlq has all columns of tasker-core');
select is(pg_temp.missing('v_dlq_dashboard', 'dlq_reason', 'total_entries', 'pending', 'manually_resolved', 'permanent_failures', 'cancelled',
  'oldest_entry', 'newest_entry', 'avg_resolution_time_minutes'), null, 'v_dlq_dashboard has all columns of tasker-core');
select is(pg_temp.missing('v_dlq_investigation_queue', 'dlq_entry_uuid', 'task_uuid', 'original_state', 'dlq_reason', 'dlq_timestamp', 'minutes_in_dlq',
  'namespace_name', 'task_name', 'current_state', 'time_in_state_minutes', 'priority_score'), null, 'v_dlq_investigation_queue has all columns of tasker-core');

select tasker_test.make_task_with_steps_in_every_state();
select results_eq(
  $$
  select s.state, s.processed, s.in_process
    from tasker_compat.workflow_steps as s
   where s.task_uuid = tasker_test.the_task()
     and s.name = s.state
   order by s.state
  $$,
  $$
  values
    ('cancelled', false, false), ('complete', true, false), ('enqueued', false, true),
    ('enqueued_as_error_for_orchestration', false, true), ('enqueued_for_orchestration', false, true),
    ('error', false, false), ('in_progress', false, true), ('pending', false, false),
    ('resolved_manually', true, false), ('suspended', false, false), ('waiting_for_retry', false, false)
  $$,
  'processed and in_process follow the state'
);

select * from finish();
rollback;
