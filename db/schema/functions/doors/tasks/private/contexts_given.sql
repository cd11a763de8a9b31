create or replace function tasker.contexts_given(p_task_uuids uuid[])
  returns void
  language plpgsql
as $$
declare
  v_ok text; -- an assignment needs no executor
begin
  v_ok := tasker.context_attributes(p_task_uuids);
end;
$$;

comment on function tasker.contexts_given is
$$Door: tasks of a template have been inserted whose contexts have attributes (128 in the effects of its first moves).$$;
