create or replace function tasker.resume_schedule(
  p_namespace  text,
  p_schedule   text,
  p_actor      text  default null,
  p_reason     text  default null
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
  v_schedule tasker.schedules;
  v_now      timestamptz;
begin
  perform tasker.administer(p_actor, p_reason);
  v_schedule := tasker.lock_schedule(p_namespace, p_schedule);
  if v_schedule.paused_at is null then
    return false;
  end if;
  v_schedule.paused_at := null;
  v_schedule.paused_by := null;
  v_schedule.paused_login := null;
  v_schedule.paused_role := null;
  v_schedule.failures := 0;
  -- The clock is read under the lock, so the time is later than every tick that fired before.
  v_now := tasker.write_clock();
  v_schedule.next_tick_at := tasker.schedule_next_tick(v_schedule, v_now);
  v_schedule := tasker.note_tick(v_schedule, v_now, 'resume', 'resumed', null, tasker.schedule_actor(tasker.actor_name(p_actor)));
  perform tasker.write_schedule(v_schedule);
  perform tasker.notify_steps_ready(p_namespace);
  perform tasker.notify_orchestrators();
  return true;
end;
$$;

comment on function tasker.resume_schedule is
$$Ends the pause of a schedule. Its next tick is after now. Returns true if this call resumed the schedule, false if the schedule was not paused. The schedule's history names the caller.

Locks the schedule, then its timer. Raises TK404 if there is no such schedule, TK422 if its expression has no further tick, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.resume_schedule to tasker_orchestrator, tasker_operator;
