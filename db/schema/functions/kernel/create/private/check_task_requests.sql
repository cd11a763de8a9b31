create or replace function tasker.check_task_requests(
  p_template    tasker.creation_templates,
  p_task        text,
  p_contexts    jsonb[],
  p_keys        text[],
  p_task_uuids  uuid[]
)
  returns void
  language plpgsql
  stable
as $$
declare
  v_keyed   boolean := p_template.identity_strategy in ('caller_provided', 'tick');
  v_no      integer := 0;
  v_context jsonb;
  v_key     text;
begin
  if p_contexts is null or greatest(array_ndims(p_contexts), array_ndims(p_keys), array_ndims(p_task_uuids)) > 1
     or cardinality(p_keys) <> cardinality(p_contexts)
     or cardinality(p_task_uuids) <> cardinality(p_contexts) then
    raise exception using
      errcode = 'TK422',
      message = format('contexts, keys and UUIDs for tasks of template "%s" do not match', p_task),
      detail  = format(
        '%s contexts, %s identity keys, %s task UUIDs',
        coalesce(cardinality(p_contexts)::text, 'null'), coalesce(cardinality(p_keys)::text, 'no'),
        coalesce(cardinality(p_task_uuids)::text, 'no')
      ),
      hint    = 'Pass an array of contexts; if you pass keys or UUIDs, one for each context.';
  end if;

  foreach v_context in array p_contexts loop
    v_no := v_no + 1;
    continue when jsonb_typeof(v_context) = 'object'
      and octet_length(v_context::text) <= p_template.context_bytes
      and not tasker.is_too_deep(v_context)
      and v_keyed = (p_keys[v_no] is not null)
      and coalesce(length(p_keys[v_no]) between 1 and 1000, true);

    v_key := p_keys[v_no];
    if jsonb_typeof(v_context) is distinct from 'object' then
      raise exception using
        errcode = 'TK422',
        message = format('context of task "%s" is not a JSON object', p_task),
        detail  = format('Context number %s is of type %s.', v_no, coalesce(jsonb_typeof(v_context), 'SQL null')),
        hint    = 'Put the value into an object under a name.';
    elsif octet_length(v_context::text) > p_template.context_bytes then
      raise exception using
        errcode = 'TK413',
        message = format('context of task "%s" is too large', p_task),
        detail  = format(
          'Context number %s has %s bytes, the limit is %s.', v_no, octet_length(v_context::text), p_template.context_bytes
        ),
        hint    = 'Store large data elsewhere and pass a reference, or raise the setting "context_bytes".';
    else
      perform tasker.check_depth(format('context of task "%s"', p_task), v_context);
      raise exception using
        errcode = 'TK422',
        message = case
          when v_key is null then format('task "%s" needs an identity key', p_task)
          when v_keyed then format('the identity key of task "%s" is empty or longer than 1,000 characters', p_task)
          else format('task "%s" does not use identity keys', p_task)
        end,
        detail  = format('Request number %s; the template''s identity strategy is %s.', v_no, p_template.identity_strategy),
        hint    = case
          when v_keyed then 'Pass p_identity_key, which is equal for equal requests, such as an order''s number.'
          else 'Omit it, or register the template with identity_strategy "caller_provided".'
        end;
    end if;
  end loop;
  if p_template.input_schema is not null then
    perform tasker.admit_contexts(p_template.input_schema, p_task, p_contexts);
  end if;
end;
$$;

comment on function tasker.check_task_requests is
$$Raises TK422 if the requests are malformed, are nested deeper than 1,000 levels or do not fit the template's identity strategy or the schema of its input, TK413 if a context is too large. The error names the first wrong request.$$;
