create or replace function tasker.due_marks_key(p_namespaces text[], p_orchestrator boolean)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select md5(p_orchestrator || p_namespaces::text);
end;

comment on function tasker.due_marks_key is
$$Returns the key that distinguishes the marks of one request from the marks of another request.$$;
