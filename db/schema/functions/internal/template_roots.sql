create or replace function tasker.template_roots(p_named_task_uuid uuid)
  returns setof tasker.named_tasks_named_steps
  language sql
  stable
begin atomic
  select s.*
    from tasker.named_tasks_named_steps as s
   where s.named_task_uuid = p_named_task_uuid
     and s.total_parents = 0;
end;

comment on function tasker.template_roots(uuid) is
$$The steps of a template that depend on no other.$$;

revoke all on function tasker.template_roots(uuid) from public;
