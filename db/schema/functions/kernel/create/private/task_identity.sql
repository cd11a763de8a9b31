create or replace function tasker.task_identity(
  p_strategy   text,
  p_namespace  text,
  p_name       text,
  p_version    text,
  p_context    jsonb,
  p_key        text
)
  returns bytea
  language sql
  immutable
  parallel safe
begin atomic
  -- Hash a JSON array, so that different lists of parts differ. The text of jsonb is canonical.
  select sha256(convert_to(
    case p_strategy
      when 'strict' then jsonb_build_array('strict', p_namespace, p_name, p_version, p_context)
      when 'caller_provided' then jsonb_build_array('key', p_namespace, p_name, p_key)
      when 'tick' then jsonb_build_array('tick', p_key)
    end::text,
    'UTF8'
  ));
end;

comment on function tasker.task_identity is
$$Returns the hash that equal requests share. With the strategy "strict" it is computed from the template's version and the context, with "caller_provided" from the template's name and the caller's key, with "tick" from the schedule and the tick in p_key. It is null with "always_unique".$$;
