create or replace view tasker.task_facts as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  ''::text as namespace,
  ''::text as transport,
  '00000000-0000-0000-0000-000000000000'::uuid as named_task_uuid,
  false::boolean as has_added_edges,
  ''::text as on_failure,
  'pending'::tasker.task_state as state,
  0::integer as transition_count,
  0::integer as open_steps,
  0::integer as active_steps,
  0::integer as retrying_steps,
  0::integer as suspended_steps,
  0::integer as failed_steps,
  '-infinity'::timestamptz as updated_at,
  null::uuid as parent_step_uuid,
  null::jsonb as undo,
  0::integer as total_steps,
  false::boolean as keyed
where false;

comment on view tasker.task_facts is
  'Row type: the facts of a task that decide the consequences of its steps'' moves: where its steps are queued, its policy on failure (tasker.failure_policy), its state and its counters, and whether its template bounds its runs by key.';
