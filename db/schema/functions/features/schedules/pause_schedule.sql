create or replace function tasker.pause_schedule(
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
begin
  perform tasker.administer(p_actor, p_reason);
  v_schedule := tasker.lock_schedule(p_namespace, p_schedule);
  if v_schedule.paused_at is not null then
    return false;
  end if;
  v_schedule.paused_at := tasker.clock();
  v_schedule.paused_by := tasker.actor_name(p_actor);
  v_schedule.paused_login := session_user;
  v_schedule.paused_role := tasker.set_role();
  v_schedule := tasker.note_tick(
    v_schedule, v_schedule.paused_at, 'pause', 'paused', null, tasker.schedule_actor(v_schedule.paused_by)
  );
  perform tasker.write_schedule(v_schedule);
  return true;
end;
$$;

comment on function tasker.pause_schedule is
$$Stops a schedule and its backfill from creating tasks. Tasks that the schedule created continue. Returns true if this call
paused the schedule, false if the schedule was paused before.

Ticks during the pause get no task later. p_actor is the caller's role by default. The schedule and its history record the actor and the login role. Locks the schedule, then its timer. Raises TK404 if there is no such schedule, TK413 if the actor's name is too long, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.pause_schedule to tasker_orchestrator, tasker_operator;
