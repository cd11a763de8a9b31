create or replace function tasker.contexts_given(p_task_uuids uuid[], p_effects smallint)
  returns void
  language plpgsql
as $$
declare
  v_ok text; -- an assignment, unlike PERFORM, starts no executor
begin
  if p_effects & 128 <> 0 then
    v_ok := tasker.context_attributes(p_task_uuids);
  end if;
  if p_effects & 2 <> 0 then
    v_ok := tasker.set_input_bounds(p_task_uuids);
  end if;
end;
$$;

comment on function tasker.contexts_given is
$$Door: new tasks have been inserted, and their contexts have attributes or bound keys of limits (the effects of the template's first moves have the bit 128 or 2).$$;
