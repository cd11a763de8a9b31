create or replace function tasker.find_resting_tasks(p_task_uuids uuid[])
  returns uuid[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_resting uuid[];
begin
  select array_agg(r.task_uuid)
    into v_resting
    from unnest(p_task_uuids) as u (task_uuid)
    join tasker.task_readiness() as r
      on r.task_uuid = u.task_uuid
    join tasker.tasks as t
      on t.task_uuid = u.task_uuid
    join tasker.named_tasks as k
      on k.named_task_uuid = t.named_task_uuid
   where r.ready_steps_count = 0
     and (
       exists (
         select
           from tasker.timers as m
          where m.task_uuid = u.task_uuid
            and m.kind = 'start_task'
            and m.due_at > tasker.clock()
       )
       or t.state in ('waiting_for_dependencies', 'waiting_for_retry', 'steps_in_process')
          and t.updated_at <= tasker.clock() - make_interval(mins => tasker.staleness_threshold(
            t.state,
            k.max_waiting_for_dependencies_minutes,
            k.max_waiting_for_retry_minutes,
            k.max_steps_in_process_minutes,
            null
          ))
     );
  return coalesce(v_resting, '{}');
end;
$$;

comment on function tasker.find_resting_tasks is
$$Returns the given tasks that no orchestrator can advance now. Such a task has no ready step, and either starts later or has been waiting or in process for so long that it is stale.$$;
