create or replace function tasker.normalize_await(p_step jsonb, p_dependencies jsonb)
  returns jsonb
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_any jsonb;
begin
  -- The schema belongs to the user, and its enum may contain null. So the schema is added after nulls are stripped.
  select jsonb_agg(
      jsonb_strip_nulls(jsonb_build_object(
        'signal', a.value -> 'signal',
        'event', a.value -> 'event',
        'key', a.value -> 'key',
        'look_back', case when a.value ->> 'event' is not null then coalesce(tasker.wait_seconds(a.value -> 'look_back'), 60) end,
        'for', tasker.wait_seconds(a.value -> 'for'),
        'until', a.value -> 'until',
        'when', (a.value ->> 'when')::jsonpath::text
      )) || case when jsonb_typeof(a.value -> 'schema') = 'object'
        then jsonb_build_object('schema', a.value -> 'schema') else '{}' end
      order by a.no
    )
    into v_any
    from jsonb_array_elements(
      case jsonb_typeof(p_step -> 'await') when 'array' then p_step -> 'await' else jsonb_build_array(p_step -> 'await') end
    ) with ordinality as a (value, no);

  return jsonb_strip_nulls(jsonb_build_object(
    'name', p_step -> 'name',
    'description', p_step -> 'description',
    'dependencies', p_dependencies,
    'join', coalesce(p_step ->> 'join', 'all'),
    'timeout', tasker.wait_seconds(p_step -> 'timeout'),
    'on_timeout', case when tasker.wait_seconds(p_step -> 'timeout') is not null
      then coalesce(p_step ->> 'on_timeout', 'fail') end,
    'assignee', p_step -> 'assignee'
  )) || jsonb_build_object('await', v_any);
end;
$$;

comment on function tasker.normalize_await is
$$Returns the normal form of a valid step that waits: its alternatives as a list, durations in seconds, defaults filled in, and dependencies as in p_dependencies.$$;
