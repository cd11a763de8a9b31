create or replace function tasker.check_task_requests(
  p_template    tasker.named_tasks,
  p_namespace   text,
  p_contexts    jsonb[],
  p_keys        text[],
  p_task_uuids  uuid[]
)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_limit integer := tasker.setting_integer('context_bytes');
  v_bad   record;
begin
  if p_contexts is null or array_ndims(p_contexts) > 1
     or cardinality(p_keys) <> cardinality(p_contexts)
     or cardinality(p_task_uuids) <> cardinality(p_contexts) then
    raise exception using
      errcode = 'TK422',
      message = format('the requests for tasks of template "%s/%s" are not one for each context', p_namespace, p_template.name),
      detail  = format(
        '%s contexts, %s identity keys, %s task UUIDs',
        coalesce(cardinality(p_contexts)::text, 'null'), coalesce(cardinality(p_keys)::text, 'no'),
        coalesce(cardinality(p_task_uuids)::text, 'no')
      );
  end if;

  select r.ord, r.context, r.key, octet_length(r.context::text) as bytes
    into v_bad
    from unnest(p_contexts, p_keys) with ordinality as r (context, key, ord)
   where jsonb_typeof(r.context) is distinct from 'object'
      or octet_length(r.context::text) > v_limit
      or (p_template.identity_strategy = 'caller_provided') <> (r.key is not null)
      or length(r.key) not between 1 and 1000
   order by r.ord
   limit 1;
  if not found then
    return;
  end if;

  if jsonb_typeof(v_bad.context) is distinct from 'object' then
    raise exception using
      errcode = 'TK422',
      message = format('context of task "%s/%s" is not a JSON object', p_namespace, p_template.name),
      detail  = format('Context number %s is of type %s.', v_bad.ord, coalesce(jsonb_typeof(v_bad.context), 'SQL null'));
  elsif v_bad.bytes > v_limit then
    raise exception using
      errcode = 'TK413',
      message = format('context of task "%s/%s" is too large', p_namespace, p_template.name),
      detail  = format('Context number %s has %s bytes, the limit is %s.', v_bad.ord, v_bad.bytes, v_limit),
      hint    = 'Store large data elsewhere and hand on a reference, or raise the setting "context_bytes".';
  end if;
  raise exception using
    errcode = 'TK422',
    message = case
      when v_bad.key is null then format('task "%s/%s" needs an identity key', p_namespace, p_template.name)
      when p_template.identity_strategy = 'caller_provided' then
        format('the identity key of task "%s/%s" is empty or longer than 1,000 characters', p_namespace, p_template.name)
      else format('task "%s/%s" takes no identity key', p_namespace, p_template.name)
    end,
    detail  = format('Request number %s; the template''s identity strategy is %s.', v_bad.ord, p_template.identity_strategy);
end;
$$;

comment on function tasker.check_task_requests(tasker.named_tasks, text, jsonb[], text[], uuid[]) is
$$Raises TK422 if the requests are malformed or do not fit the template's identity strategy, TK413 if a context is too large; names the first that is.$$;

revoke all on function tasker.check_task_requests(tasker.named_tasks, text, jsonb[], text[], uuid[]) from public;
