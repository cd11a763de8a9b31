create or replace function tasker.limit_key_in(p_task_uuid uuid, p_path jsonpath, p_inputs jsonb)
  returns text
  language plpgsql
  stable
as $$
begin
  return tasker.limit_key_of(p_path, (select t.context from tasker.tasks as t where t.task_uuid = p_task_uuid), p_inputs);
end;
$$;

comment on function tasker.limit_key_in is
$$Returns the key of a step in its limit, which tasker.limit_key_of computes from the task's context. This is a function of its own, so that statements about steps without limits need not prepare this query.$$;
