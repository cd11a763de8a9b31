create or replace function tasker.admit_contexts(p_schema jsonb, p_task text, p_contexts jsonb[])
  returns void
  language plpgsql
  immutable
as $$
begin
  if p_schema ? 'encrypted' then
    perform tasker.check_sealed_contexts(p_schema, p_task, p_contexts);
    if p_schema ? 'input_schema' then
      perform tasker.check_inputs(p_schema -> 'input_schema', p_task, array(select c.context - 'pgtasker' from unnest(p_contexts) as c (context)));
    end if;
    return;
  end if;
  perform tasker.check_inputs(p_schema, p_task, p_contexts);
end;
$$;

comment on function tasker.admit_contexts is
$$Door: a caller requests tasks of a template that has a schema of its input, or whose payloads are encrypted. Raises an error if a context does not fit.$$;
