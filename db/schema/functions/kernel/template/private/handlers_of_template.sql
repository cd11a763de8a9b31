create or replace function tasker.handlers_of_template(p_namespace text, p_name text)
  returns setof tasker.named_steps
  language sql
  stable
begin atomic
  select h.*
    from tasker.task_namespaces as n
    join tasker.named_tasks as k
      on k.task_namespace_uuid = n.task_namespace_uuid
    join tasker.named_tasks_named_steps as s
      on s.named_task_uuid = k.named_task_uuid
    join tasker.named_steps as h
      on h.named_step_uuid in (s.named_step_uuid, s.compensate_uuid)
   where n.name = p_namespace
     and k.name = p_name
     and not starts_with(h.name, 'tasker.')
   group by h.named_step_uuid
   order by h.name;
end;

comment on function tasker.handlers_of_template is
$$Returns the handlers of the steps and the compensations of all versions of a template. Omits the built-in handlers, which no worker runs.$$;
