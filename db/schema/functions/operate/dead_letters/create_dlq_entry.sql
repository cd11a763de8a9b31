create or replace function tasker.create_dlq_entry(
  p_task_uuid  uuid,
  p_reason     text   default null,
  p_notes      text   default null,
  p_metadata   jsonb  default null
)
  returns uuid
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '5s'
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_state  tasker.task_state;
  v_reason text := coalesce(p_reason, 'manual_dlq');
begin
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_text_size('text of the notes', p_notes, 1000);
  if v_reason not in (
    'staleness_timeout', 'max_retries_exceeded', 'dependency_cycle_detected', 'worker_unavailable', 'manual_dlq'
  ) then
    raise exception using
      errcode = 'TK422',
      message = format('"%s" is not a reason for the dead-letter queue', left(v_reason, 100)),
      hint    = 'Use staleness_timeout, max_retries_exceeded, dependency_cycle_detected, worker_unavailable or manual_dlq.';
  end if;
  if jsonb_typeof(p_metadata) <> 'object' then
    raise exception using
      errcode = 'TK422',
      message = 'the metadata of a dead-letter entry is not a JSON object',
      hint    = 'Pass an object, {} for no metadata.';
  end if;
  perform tasker.check_transition_metadata(coalesce(p_metadata, '{}'));

  -- The lock makes the snapshot consistent.
  select t.state
    into v_state
    from tasker.tasks as t
   where t.task_uuid = p_task_uuid
     for no key update;
  if not found then
    perform tasker.raise_task_not_found(p_task_uuid);
  end if;
  return tasker.insert_dlq_entry(p_task_uuid, v_state, v_reason, p_notes, p_metadata);
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.create_dlq_entry is
$$Opens an investigation of a task and returns the UUID of the investigation. An investigation is a row of
tasker.tasks_dlq with a snapshot of the task, its steps, edges and history. If the task already has an open
investigation, returns the UUID of that investigation.

Does not stop the task. The default of p_reason is "manual_dlq". Locks the task. Raises TK404 if there is no such task,
and TK413 if the metadata is too large. Raises TK422 for an unknown reason or metadata that is not an object. Raises
TK403 if the caller is bound to other namespaces. Raises TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.create_dlq_entry to tasker_orchestrator, tasker_operator;
