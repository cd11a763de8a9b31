create or replace function tasker.due_marks_key(p_namespaces text[], p_orchestrator boolean)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select md5(p_orchestrator || p_namespaces::text);
end;

comment on function tasker.due_marks_key is
$$Returns what tells the marks of one request from those of another.$$;
