create or replace function tasker.note_administration(p_kind text, p_object text, p_namespaces text[], p_action text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  insert into tasker.administration_log (kind, object, namespaces, action, call)
  values (p_kind, p_object, nullif(array_remove(p_namespaces, null), '{}'), p_action, tasker.calling_function());
end;
$$;

comment on function tasker.note_administration is
$$Writes into tasker.administration_log what a function has changed outside the tables of pgtasker, such as a queue.$$;
