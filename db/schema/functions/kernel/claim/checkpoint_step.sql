create or replace function tasker.checkpoint_step(
  p_step_uuid      uuid,
  p_claim_no       integer,
  p_checkpoint     jsonb,
  p_lease_seconds  integer  default null
)
  returns tasker.lease_answer
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
  v_until timestamptz;
  v_bytes bigint := octet_length(p_checkpoint::text);
  v_step  tasker.workflow_steps;
begin
  perform tasker.check_step_claims(array[p_step_uuid], array[p_claim_no]);
  perform tasker.check_claim(p_step_uuid, 1, p_lease_seconds);
  perform tasker.check_bound_steps(array[p_step_uuid]);
  if v_bytes > tasker.setting_integer('result_bytes') then
    raise exception using
      errcode = 'TK413',
      message = format('a checkpoint of %s bytes is too large', v_bytes),
      detail  = format('The limit is %s bytes.', tasker.setting('result_bytes')),
      hint    = 'Store large state elsewhere and save a reference, or raise the setting "result_bytes".';
  end if;
  perform tasker.check_depth('checkpoint', p_checkpoint);

  select s.*
    into v_step
    from tasker.workflow_steps as s
   where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and s.step_no = tasker.step_no_of(p_step_uuid)
     for no key update;
  if not found then
    perform tasker.raise_step_not_found(p_step_uuid);
  end if;
  if v_step.state = 'cancelled' then
    return 'cancelled';
  end if;
  if v_step.state <> 'in_progress' or v_step.claim_no <> p_claim_no then
    return 'stale';
  elsif (v_step.undo_level < 0) is false then
    -- The step's task is being undone. The step has only the rest of its lease.
    return 'cancelled';
  end if;

  if v_step.effects & 8192 <> 0 then
    perform tasker.admit_value(p_step_uuid, 'checkpoint', p_checkpoint, null);
  end if;
  v_until := tasker.write_clock() + make_interval(secs => coalesce(p_lease_seconds, tasker.setting_integer('lease_seconds')));
  update tasker.workflow_steps as s
     set checkpoint    = p_checkpoint,
         lease_until   = v_until,
         lease_seconds = coalesce(p_lease_seconds, s.lease_seconds)
   where s.task_uuid = v_step.task_uuid
     and s.step_no = v_step.step_no;
  update tasker.step_queue as q
     set visible_at = v_until
   where q.task_uuid = v_step.task_uuid
     and q.step_no = v_step.step_no;
  return 'saved';
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_step_uuid);
end;
$$;

comment on function tasker.checkpoint_step is
$$Saves a checkpoint, the progress of a running step, and renews the lease. The claim of the next attempt returns the checkpoint. The answer is "saved", "stale" or "cancelled". While the task is being undone, the answer is also "cancelled".

A claim number that is not the step's current one changes nothing. Locks the step, then its queue row. Raises TK404 if there is no such step, TK413 if the checkpoint is over the setting "result_bytes", TK422 for an argument that is null or out of range, TK403 if the role is bound to other namespaces, TK409 above READ COMMITTED, TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.checkpoint_step
  to tasker_worker, tasker_orchestrator, tasker_operator;
