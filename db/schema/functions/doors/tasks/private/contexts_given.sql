create or replace function tasker.contexts_given(p_task_uuids uuid[])
  returns void
  language plpgsql
as $$
declare
  v_ok text; -- an assignment, unlike PERFORM, starts no executor
begin
  v_ok := tasker.context_attributes(p_task_uuids);
end;
$$;

comment on function tasker.contexts_given is
$$Door: new tasks have been inserted, and their contexts have attributes (the effects of the template's first moves have the bit 128).$$;
