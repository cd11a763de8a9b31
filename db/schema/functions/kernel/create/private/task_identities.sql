create or replace function tasker.task_identities(
  p_template   tasker.creation_templates,
  p_namespace  text,
  p_name       text,
  p_contexts   jsonb[],
  p_keys       text[]
)
  returns bytea[]
  language plpgsql
  immutable
as $$
declare
  v_hashes bytea[] := array_fill(null::bytea, array[cardinality(p_contexts)]);
begin
  if p_template.identity_strategy <> 'always_unique' then
    for i in 1 .. cardinality(p_contexts) loop
      v_hashes[i] := tasker.task_identity(
        p_template.identity_strategy, p_namespace, p_name, p_template.version,
        case when p_template.input_schema is null then p_contexts[i] else tasker.identity_context(p_template.input_schema, p_contexts[i]) end,
        p_keys[i]
      );
    end loop;
  end if;
  return v_hashes;
end;
$$;

comment on function tasker.task_identities is
$$Returns the identity of each request for a task, in order. It is null if the template creates a new task for each request.$$;
