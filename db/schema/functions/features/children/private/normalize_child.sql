create or replace function tasker.normalize_child(p_step jsonb, p_dependencies jsonb)
  returns jsonb
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_task jsonb := p_step -> 'task';
begin
  -- The context belongs to the user and may have nulls, so it is added after nulls are stripped.
  return jsonb_strip_nulls(jsonb_build_object(
    'name', p_step -> 'name',
    'description', p_step -> 'description',
    'dependencies', p_dependencies,
    'join', coalesce(p_step ->> 'join', 'all'),
    'timeout', tasker.wait_seconds(p_step -> 'timeout'),
    'on_timeout', case when tasker.wait_seconds(p_step -> 'timeout') is not null
      then coalesce(p_step ->> 'on_timeout', 'fail') end,
    'compensate', p_step -> 'compensate',
    'retry', case when jsonb_typeof(p_step -> 'retry') = 'object' then tasker.normalize_retry(p_step -> 'retry') end
  )) || jsonb_build_object(
    'task',
    jsonb_strip_nulls(jsonb_build_object(
      'namespace', v_task -> 'namespace',
      'name', v_task -> 'name',
      'version', v_task -> 'version',
      'abandon', case when (v_task ->> 'abandon')::boolean then true end
    )) || case when jsonb_typeof(v_task -> 'context') = 'object'
      then jsonb_build_object('context', v_task -> 'context')
      -- The default context of a task for an element is the element.
      when jsonb_typeof(p_step -> 'for_each') <> 'null' then '{"context": {"path": "$inputs.element"}}' else '{}' end
  );
end;
$$;

comment on function tasker.normalize_child is
$$Returns a valid step that starts a task in normal form: durations in seconds, defaults filled in, and dependencies as in p_dependencies. If the step is a map and names no context, the context of each task is the map's element.$$;
