create or replace function tasker.notify_task_events(p_moves tasker.task_transition_log[])
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  if p_moves is null or not tasker.setting_boolean('notify') then
    return;
  end if;

  perform pg_notify(
    'tasker_task_events',
    json_build_object(
      'task_uuid', m.task_uuid,
      'namespace', n.name,
      'from_state', m.from_state,
      'to_state', m.to_state,
      'event', m.event
    )::text
  )
     from unnest(p_moves) as m
    cross join lateral (
      select n.name
        from tasker.tasks as t
        join tasker.named_tasks as k
          on k.named_task_uuid = t.named_task_uuid
        join tasker.task_namespaces as n
          on n.task_namespace_uuid = k.task_namespace_uuid
       where t.task_uuid = m.task_uuid
      offset 0
    ) as n;
end;
$$;

comment on function tasker.notify_task_events(tasker.task_transition_log[]) is
$$Tells listeners of tasker_task_events about transitions of tasks, unless the setting "notify" is off.$$;

revoke all on function tasker.notify_task_events(tasker.task_transition_log[]) from public;
