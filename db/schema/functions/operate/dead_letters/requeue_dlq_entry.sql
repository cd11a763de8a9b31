create or replace function tasker.requeue_dlq_entry(p_dlq_entry_uuid uuid, p_notes text default null, p_actor text default null)
  returns boolean
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
  v_task  uuid;
  v_state tasker.task_state;
begin
  perform tasker.check_bound_dlq_entry(p_dlq_entry_uuid);
  perform tasker.check_text_size('text of the notes', p_notes, 1000);
  perform tasker.check_given_name('actor', p_actor, 200);
  select d.task_uuid
    into v_task
    from tasker.tasks_dlq as d
   where d.dlq_entry_uuid = p_dlq_entry_uuid;
  if not found then
    perform tasker.raise_dlq_entry_not_found(p_dlq_entry_uuid);
  end if;

  perform tasker.lock_identity(v_task);
  select t.state
    into v_state
    from tasker.tasks as t
   where t.task_uuid = v_task
     for no key update;
  if not found then
    perform tasker.raise_task_not_found(v_task);
  end if;
  if v_state in ('complete', 'cancelled', 'resolved_manually') then
    raise exception using
      errcode = 'TK409',
      message = format('task %s cannot run again: it is %s', v_task, v_state),
      hint    = 'End the investigation with tasker.resolve_dlq_entry().';
  end if;

  if not tasker.resolve_dlq_entry(p_dlq_entry_uuid, 'manually_resolved', p_notes, p_actor) then
    return false;
  end if;
  if not tasker.reset_task(v_task, coalesce(p_notes, 'requeued from the dead-letter queue'), p_actor => p_actor) then
    perform tasker.advance_later(v_task);
  end if;
  return true;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(v_task);
end;
$$;

comment on function tasker.requeue_dlq_entry is
$$Ends an investigation as manually_resolved and runs its task again: failed steps start again and finished steps stay
finished. If the task has no failures, an orchestrator evaluates it. Returns true if this call requeued the task, and
false if the investigation had already ended.

p_notes say why, and p_actor says who did it (by default the caller's role). Locks the identity of the task, the task,
then the entry. Raises TK404 if the entry or its task does not exist. Raises TK409 if the task is complete, cancelled or
resolved, or if another open task has its identity. Raises TK403 if the caller is bound to other namespaces than the
task's. Raises TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.requeue_dlq_entry to tasker_operator;
