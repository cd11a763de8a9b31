create or replace function tasklib.cancel_task(
  p_id      uuid,
  p_reason  text  default null
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
  v_task tasklib.tasks;
begin
  select t.*
    into v_task
    from tasklib.tasks as t
   where t.id = p_id
     for update;
  if not found then
    perform tasklib.raise_task_not_found(p_id);
  end if;
  if v_task.state not in ('pending', 'running') then
    return false;
  end if;

  update tasklib.tasks as t
     set state         = 'cancelled',
         ready         = false,
         completed_at  = tasklib.write_clock(),
         expires_at    = tasklib.expiry(t.name, 'cancelled', tasklib.write_clock()),
         next_retry_at = null,
         locked_until  = null,
         worker_id     = null,
         error         = left(coalesce(p_reason, t.error), tasklib.setting('error_bytes')::integer)
   where t.id = p_id;

  if v_task.state = 'running' then
    if tasklib.setting('audit_runs')::boolean then
      insert into tasklib.task_runs (task_id, claim_no, name, worker_id, started_at, ended_at, outcome, error)
      values (p_id, v_task.claim_no, v_task.name, v_task.worker_id, v_task.started_at, tasklib.write_clock(), 'cancelled', p_reason);
    end if;
    -- The task's worker is awake, so notify even if no worker sleeps.
    if tasklib.setting('notify') <> 'off' then
      perform pg_notify('tasklib_cancelled', p_id::text);
    end if;
  end if;
  perform tasklib.log_action('cancel', p_id, v_task.name, jsonb_build_object('from', v_task.state, 'reason', p_reason));
  return true;
end;
$$;

comment on function tasklib.cancel_task is
$$Cancels a pending or running task. Returns true if this call cancelled the task, false if the task had already ended. If the task is running, notifies its worker on the channel tasklib_cancelled, unless the setting notify is off. A later report of this worker is stale.

Idempotent. Locks the task. Raises TK404 if the task does not exist.$$;

grant execute on function tasklib.cancel_task to tasklib_submitter, tasklib_operator;
