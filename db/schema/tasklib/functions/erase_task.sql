create or replace function tasklib.erase_task(
  p_id      uuid,
  p_reason  text
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_task   tasklib.tasks;
  v_digest text;
begin
  perform tasker.check_bulk(p_reason, 1, false);
  select t.*
    into v_task
    from tasklib.tasks as t
   where t.id = p_id
     for update;
  if not found then
    perform tasklib.raise_task_not_found(p_id);
  end if;
  if v_task.erased_at is not null then
    return false;
  end if;
  if v_task.state in ('pending', 'running') then
    raise exception using
      errcode = 'TK409',
      message = format('task %s cannot be erased: it is %s', p_id, v_task.state),
      hint    = 'Cancel it first, with tasklib.cancel_task(id, reason).';
  end if;

  v_digest := encode(sha256(convert_to(
    jsonb_build_array(v_task.args, v_task.kwargs, v_task.tags, v_task.result, v_task.error, v_task.dedup_key, v_task.limit_key)::text, 'UTF8'
  )), 'hex');
  update tasklib.tasks as t
     set args      = tasker.erased_json(t.args),
         kwargs    = tasker.erased_json(t.kwargs),
         tags      = tasker.erased_json(t.tags),
         result    = tasker.erased_json(t.result),
         error     = tasker.erased_text(t.error),
         dedup_key = null,
         limit_key = tasker.erased_text(t.limit_key),
         erased_at = tasklib.write_clock()
   where t.id = p_id;
  update tasklib.task_runs as r set error = 'erased' where r.task_id = p_id and r.error is not null;
  update tasklib.task_actions as a set detail = tasker.erased_json(a.detail) where a.task_id = p_id;
  perform tasklib.log_action('erase', p_id, v_task.name, jsonb_build_object('reason', p_reason, 'digest', v_digest));
  return true;
end;
$$;

comment on function tasklib.erase_task is
$$Erases the data of a task that has ended: the arguments, tags, result, errors and keys, and the texts of earlier actions on the task. The data cannot be restored. States, times and counts stay. The function tasklib.list_task_actions returns who erased the task and why, with a SHA-256 of the erased data. An erased task cannot be retried. A submission with its former deduplication key creates a new task. Returns true if this call erased the task, false if an earlier call did.

Idempotent. Locks the task. Raises TK404 if the task does not exist, TK409 if the task is pending or running, TK422 without a reason, TK413 if the reason is longer than 1,000 characters.$$;

grant execute on function tasklib.erase_task to tasklib_operator;
