create or replace function tasker.check_bound_dlq_entry(p_dlq_entry_uuid uuid)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if (tasker.is_scoped() or exists (select from tasker.role_bindings)) and tasker.bound_namespaces() is not null then
    perform tasker.check_bound_namespaces(array[d.task_snapshot #>> '{task,namespace}'])
       from tasker.tasks_dlq as d
      where d.dlq_entry_uuid = p_dlq_entry_uuid;
  end if;
end;
$$;

comment on function tasker.check_bound_dlq_entry is
$$Raises TK403 if the caller is not bound to the namespace of this dead letter's task, even if that task no longer exists.$$;
