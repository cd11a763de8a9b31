create or replace function tasker.notify_task_event(
  p_task_uuid   uuid,
  p_from_state  tasker.task_state,
  p_to_state    tasker.task_state,
  p_event       text
)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
as $$
begin
  if not tasker.setting_boolean('notify') then
    return;
  end if;

  perform pg_notify(
    'tasker_task_events',
    json_build_object(
      'task_uuid', p_task_uuid,
      'namespace', n.name,
      'from_state', p_from_state,
      'to_state', p_to_state,
      'event', p_event
    )::text
  )
     from tasker.tasks as t
     join tasker.named_tasks as k
       on k.named_task_uuid = t.named_task_uuid
     join tasker.task_namespaces as n
       on n.task_namespace_uuid = k.task_namespace_uuid
    where t.task_uuid = p_task_uuid;
end;
$$;

comment on function tasker.notify_task_event(uuid, tasker.task_state, tasker.task_state, text) is
$$Tells listeners of tasker_task_events about a transition of a task, unless the setting "notify" is off.$$;

revoke all on function tasker.notify_task_event(uuid, tasker.task_state, tasker.task_state, text) from public;
