create or replace function tasker.admit_contexts(p_schema jsonb, p_task text, p_contexts jsonb[])
  returns void
  language plpgsql
  immutable
as $$
begin
  perform tasker.check_inputs(p_schema, p_task, p_contexts);
end;
$$;

comment on function tasker.admit_contexts is
$$Door: tasks are requested of a template that has a schema of its input. Raises for a context that does not fit.$$;
