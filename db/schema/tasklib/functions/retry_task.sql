create or replace function tasklib.retry_task(
  p_id             uuid,
  p_delay_seconds  double precision  default 0
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
  p_delay_seconds := coalesce(p_delay_seconds, 0);
  if p_delay_seconds between 0 and 3153600000 is not true then
    raise exception using
      errcode = 'TK422',
      message = format('a task cannot be retried after %s seconds', p_delay_seconds),
      hint    = 'The delay must be between 0 seconds and 100 years.';
  end if;
  select t.*
    into v_task
    from tasklib.tasks as t
   where t.id = p_id
     for update;
  if not found then
    perform tasklib.raise_task_not_found(p_id);
  end if;
  if v_task.state in ('pending', 'running') then
    return false;
  end if;
  if v_task.state = 'completed' then
    raise exception using
      errcode = 'TK409',
      message = format('task %s is completed', p_id),
      hint    = 'Submit it again to run it once more.';
  end if;
  if v_task.erased_at is not null then
    raise exception using
      errcode = 'TK409',
      message = format('task %s was erased and cannot run again', p_id),
      hint    = 'Submit a new task. tasklib.list_task_actions() shows who erased it, and why.';
  end if;
  if v_task.dedup_key is not null and not v_task.dedup_kept and exists (
    select
      from tasklib.tasks as o
     where o.name = v_task.name
       and o.dedup_key = v_task.dedup_key
       and o.dedup_key is not null
       and (o.dedup_kept or o.state in ('pending', 'running'))
  ) then
    raise exception using
      errcode = 'TK409',
      message = format('another task of "%s" with the key of task %s is open', v_task.name, p_id),
      detail  = format('The key is "%s".', v_task.dedup_key),
      hint    = 'Cancel one of them, or let it run.';
  end if;

  update tasklib.tasks as t
     set state        = 'pending',
         ready        = p_delay_seconds = 0,
         retry_count  = 0,
         scheduled_at = tasklib.clock() + make_interval(secs => p_delay_seconds),
         completed_at = null,
         expires_at   = null
   where t.id = p_id;
  perform tasklib.notify_ready(v_task.name);
  perform tasklib.log_action('retry', p_id, v_task.name, jsonb_build_object('from', v_task.state, 'error', v_task.error));
  return true;
end;
$$;

comment on function tasklib.retry_task is
$$Makes a failed or cancelled task pending again, with all its retries. It is due after p_delay_seconds. Returns false if the task is already pending or running. The last error of the task stays until its next run ends, and its claim number is not reset.

Idempotent. Locks the task. Raises TK404 if the task does not exist, TK409 if the task is completed, was erased, or has the deduplication key of another open task, TK422 for an invalid delay.$$;

grant execute on function tasklib.retry_task to tasklib_operator;
