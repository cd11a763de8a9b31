create or replace function tasker.contexts_given(p_task_uuids uuid[], p_effects smallint)
  returns void
  language plpgsql
as $$
declare
  v_ok text; -- an assignment needs no executor
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
$$Door: tasks of a template have been inserted whose contexts have attributes or bound keys of limits (128 and 2 in the effects of its first moves).$$;
