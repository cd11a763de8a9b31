create or replace function tasker.resume_task(p_task_uuid uuid, p_reason text default null, p_actor text default null)
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
  set lock_timeout = '5s'
as $$
declare
  v_moves tasker.step_moves[];
begin
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_isolation();
  perform tasker.administer(p_actor, p_reason);
  perform tasker.lock_open_task(p_task_uuid);
  if not tasker.task_is_held(p_task_uuid) then
    return false;
  end if;
  perform from tasker.workflow_steps as s where s.task_uuid = p_task_uuid order by s.step_no for no key update;
  update tasker.workflow_steps as s
     set effects = s.effects & ~16384::smallint
   where s.task_uuid = p_task_uuid
     and s.effects & 16384 <> 0;
  with freed as (
    update tasker.step_queue as q
       set lane       = tasker.step_lane('enqueued', s.priority),
           limit_no   = null,
           limit_key  = null,
           limit_lane = null
      from tasker.workflow_steps as s
     where q.task_uuid = p_task_uuid
       and q.lane = 'paused'
       and s.task_uuid = p_task_uuid
       and s.step_no = q.step_no
    returning q.step_no, s.effects
  )
  select array_agg(tasker.step_move(
      p_task_uuid => p_task_uuid, p_step_no => f.step_no, p_from_state => 'pending', p_event => 'Enqueue', p_to_state => 'enqueued'
    ) order by f.step_no) filter (where f.effects & 260 <> 0)
    into v_moves
    from freed as f;
  delete from tasker.timers as h
   where h.task_uuid = p_task_uuid
     and h.kind = 'hold_task';
  update tasker.timers as n
     set due_at = tasker.write_clock()
   where n.task_uuid = p_task_uuid
     and n.kind = 'start_child';
  if v_moves is not null then
    perform tasker.moved(v_moves, 260::smallint);
  end if;
  perform tasker.announce_steps(tasker.namespace_of_task(p_task_uuid), array[p_task_uuid]);
  perform tasker.notify_orchestrators();
  perform tasker.note_task_change(p_task_uuid, '{"paused": true}', '{"paused": false}');
  return true;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.resume_task is
$$Ends the pause of a task (tasker.pause_task). The ready steps of the task return to their places in the queue, and its
steps may start tasks again. Wakes workers. Returns true if this call resumed the task, and false if the task was not
paused.

p_reason and p_actor go into the log of administration, under the kind \"tasks\". Without p_actor, the log has the
caller's role. Locks the task, then its steps, then their queue rows and timers. The cost is linear in the number of
steps of the task. Raises TK404 if there is no such task. Raises TK409 if the task has ended or is being undone, or if
the isolation level is above READ COMMITTED. Raises TK413 if the reason or the actor's name is too long. Raises TK403 if
the caller is bound to other namespaces. Raises TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.resume_task to tasker_orchestrator, tasker_operator;
