create or replace function tasker.delete_schedule(
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
  v_uuid uuid;
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.administer(p_actor, p_reason);
  delete from tasker.schedules as s
   where s.namespace = p_namespace
     and s.schedule = p_schedule
  returning s.schedule_uuid into v_uuid;
  if not found then
    return false;
  end if;
  delete from tasker.timers as m
   where m.task_uuid = any (array[v_uuid]);
  return true;
end;
$$;

comment on function tasker.delete_schedule is
$$Ends a schedule and deletes its history. Returns true if the schedule existed. Tasks that the schedule created stay.

Idempotent. Locks the schedule, then its timer. Raises TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.delete_schedule to tasker_orchestrator, tasker_operator;
