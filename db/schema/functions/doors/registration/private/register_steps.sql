create or replace function tasker.register_steps(p_namespace text, p_steps jsonb)
  returns void
  language plpgsql
as $$
begin
  perform tasker.insert_limits(p_namespace, p_steps);
end;
$$;

comment on function tasker.register_steps is
$$Door: steps in normal form are about to be inserted, their handlers have been. What features need for them is inserted first.$$;
