create or replace function tasker.admit_one(p_template tasker.creation_templates, p_namespace text, p_name text, p_context jsonb)
  returns void
  language plpgsql
as $$
declare
  v_request tasker.task_requests;
begin
  v_request.namespace := p_namespace;
  v_request.name := p_name;
  v_request.contexts := array[p_context];
  perform tasker.admit_tasks(p_template, v_request, null, null);
end;
$$;

comment on function tasker.admit_one is
$$Raises TK409 if a template refuses the task of a step, because all places of the task's key are taken or another transaction has locked the key.$$;
