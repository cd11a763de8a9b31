create or replace function tasker.take_limited_step(
  p_step_uuid    uuid,
  p_until        timestamptz,
  p_worker_uuid  uuid,
  p_settings     tasker.settings_now
)
  returns tasker.step_queue[]
  language plpgsql
as $$
declare
  v_limit_no  integer;
  v_limit_key text;
begin
  select q.limit_no, q.limit_key
    into v_limit_no, v_limit_key
    from tasker.step_queue as q
    join tasker.task_namespaces as n
      on n.name = q.namespace
   where q.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and q.step_no = tasker.step_no_of(p_step_uuid)
     and q.lane = 'limited'
     and n.paused_at is null
     and not tasker.is_paused(q.namespace, q.named_step_uuid, p_settings);
  if not found then
    return '{}';
  end if;

  if not exists (select from tasker.limit_keys as k where k.limit_no = v_limit_no and k.limit_key = v_limit_key) then
    perform tasker.insert_limit_keys(array[v_limit_no], array[v_limit_key], array[true]);
  end if;
  perform
     from tasker.limit_keys as k
    where k.limit_no = v_limit_no
      and k.limit_key = v_limit_key
      for no key update skip locked;
  if not found then
    return '{}';
  end if;
  return tasker.serve_limit_keys(
    array[v_limit_no], array[v_limit_key], null, 1, p_until, p_worker_uuid, tasker.task_uuid_of(p_step_uuid),
    tasker.step_no_of(p_step_uuid), p_settings
  );
end;
$$;

comment on function tasker.take_limited_step is
$$Takes one given step that names a limit, if the limit has room for the step. Marks the step as running and hides it until p_until. Returns an empty array if the limit has no room or another transaction holds the key.$$;
