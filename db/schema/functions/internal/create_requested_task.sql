create or replace function tasker.create_requested_task(p_request jsonb)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_unknown text;
begin
  if jsonb_typeof(p_request) is distinct from 'object' then
    raise exception using
      errcode = 'TK422',
      message = 'a task request is not a JSON object',
      detail  = format('It is of type %s.', coalesce(jsonb_typeof(p_request), 'null'));
  end if;
  select k.key
    into v_unknown
    from jsonb_object_keys(p_request) as k (key)
   where k.key not in (
     'namespace', 'name', 'context', 'version', 'identity_key', 'task_uuid', 'priority', 'tags', 'initiator',
     'source_system', 'reason', 'correlation_id', 'parent_correlation_id', 'headers', 'start_at', 'deferred',
     'deadline', 'identity_ttl'
   )
   limit 1;
  if found then
    raise exception using
      errcode = 'TK422',
      message = format('a task request has no field "%s"', left(v_unknown, 100)),
      hint    = 'Its fields are the arguments of tasker.create_task without "p_".';
  end if;

  perform tasker.create_task(
    p_request ->> 'namespace',
    p_request ->> 'name',
    coalesce(p_request -> 'context', '{}'),
    p_request ->> 'version',
    p_request ->> 'identity_key',
    (p_request ->> 'task_uuid')::uuid,
    (p_request ->> 'priority')::integer,
    case when p_request ? 'tags' then array(select jsonb_array_elements_text(p_request -> 'tags')) end,
    p_request ->> 'initiator',
    p_request ->> 'source_system',
    p_request ->> 'reason',
    (p_request ->> 'correlation_id')::uuid,
    (p_request ->> 'parent_correlation_id')::uuid,
    p_request -> 'headers',
    (p_request ->> 'start_at')::timestamptz,
    (p_request ->> 'deferred')::boolean,
    (p_request ->> 'deadline')::timestamptz,
    (p_request ->> 'identity_ttl')::interval
  );
end;
$$;

comment on function tasker.create_requested_task(jsonb) is
$$create_task with its arguments in one object. Raises TK422 for a field that is none of them.$$;

revoke all on function tasker.create_requested_task(jsonb) from public;
