create or replace function tasker.run_schedule_now(
  p_namespace  text,
  p_schedule   text,
  p_actor      text  default null,
  p_reason     text  default null
)
  returns setof tasker.schedule_ticks
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
  perform tasker.check_given_name('actor', p_actor, 200);
  perform tasker.check_text_size('reason', p_reason, 1000);
  v_schedule := tasker.lock_schedule(p_namespace, p_schedule);
  v_schedule := tasker.make_tick(v_schedule, tasker.clock(), 'run_now', tasker.actor_name(p_actor), p_reason);
  v_schedule := tasker.write_schedule(v_schedule);
  return query
  select k.*
    from tasker.schedule_ticks as k
   where k.schedule_uuid = v_schedule.schedule_uuid
     and k.tick_no = v_schedule.tick_count;
end;
$$;

comment on function tasker.run_schedule_now is
$$Creates a task of a schedule now, in addition to the tasks of its ticks, even if the schedule is paused or one of its tasks still runs. Returns the new entry of the schedule's history, with the task's UUID. The next tick does not change.

p_actor (by default the caller's role) becomes the initiator of the task, and p_reason its reason. Each call creates
another task. Locks the schedule, then its timer, then takes the locks of create_task. Raises TK404 if there is no such
schedule or template, TK410 if the version is retired, TK413 if the actor's name or the reason is too long, TK507 if there
is no partition for the task, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.run_schedule_now to tasker_orchestrator, tasker_operator;
