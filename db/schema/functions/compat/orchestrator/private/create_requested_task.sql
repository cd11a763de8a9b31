create or replace function tasker.create_requested_task(p_request jsonb)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_request jsonb;
  v_unknown text;
begin
  if jsonb_typeof(p_request) is distinct from 'object' then
    raise exception using
      errcode = 'TK422',
      message = 'a task request is not a JSON object',
      detail  = format('It is of type %s.', coalesce(jsonb_typeof(p_request), 'null')),
      hint    = 'A request is an object with namespace, name and context.';
  end if;
  select k.key
    into v_unknown
    from jsonb_object_keys(p_request) as k (key)
   where k.key not in (
     'namespace', 'name', 'context', 'version', 'identity_key', 'task_uuid', 'priority', 'tags', 'initiator',
     'source_system', 'reason', 'correlation_id', 'parent_correlation_id', 'headers', 'start_at', 'deferred',
     'deadline', 'identity_ttl', 'identity_scope', 'debounce_seconds', 'debounce_longest_seconds', 'throttle_limit',
     'throttle_seconds', 'throttle_key'
   )
   limit 1;
  if found then
    raise exception using
      errcode = 'TK422',
      message = format('a task request has no field "%s"', left(v_unknown, 100)),
      hint    = 'Its fields are the arguments of tasker.create_task without "p_".';
  end if;

  -- Remove null fields, because a null field means the same as an absent field.
  select coalesce(jsonb_object_agg(f.key, f.value), '{}')
    into v_request
    from jsonb_each(p_request) as f
   where f.value <> 'null';

  perform tasker.create_task(
    v_request ->> 'namespace',
    v_request ->> 'name',
    coalesce(v_request -> 'context', '{}'),
    v_request ->> 'version',
    v_request ->> 'identity_key',
    (v_request ->> 'task_uuid')::uuid,
    (v_request ->> 'priority')::integer,
    case when v_request ? 'tags' then array(select jsonb_array_elements_text(v_request -> 'tags')) end,
    v_request ->> 'initiator',
    v_request ->> 'source_system',
    v_request ->> 'reason',
    (v_request ->> 'correlation_id')::uuid,
    (v_request ->> 'parent_correlation_id')::uuid,
    v_request -> 'headers',
    (v_request ->> 'start_at')::timestamptz,
    (v_request ->> 'deferred')::boolean,
    (v_request ->> 'deadline')::timestamptz,
    (v_request ->> 'identity_ttl')::interval,
    v_request ->> 'identity_scope',
    (v_request ->> 'debounce_seconds')::integer,
    (v_request ->> 'debounce_longest_seconds')::integer,
    (v_request ->> 'throttle_limit')::integer,
    (v_request ->> 'throttle_seconds')::integer,
    v_request ->> 'throttle_key'
  );
end;
$$;

comment on function tasker.create_requested_task is
$$Calls create_task with the fields of one JSON object as arguments. A null field counts as absent. Raises TK422 for an unknown field, and the errors of create_task.$$;
