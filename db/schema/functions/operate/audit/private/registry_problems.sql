create or replace function tasker.registry_problems()
  returns setof tasker.integrity_problems
  language plpgsql
  stable
as $$
begin
  return query
  -- Templates are unchanged since their registration.
  select null::uuid, null::integer, null::integer, 'named_tasks', format('template "%s" version "%s" was changed after its registration', k.name, k.version)
    from tasker.named_tasks as k
   where k.configuration <> '{}'
     and (
       k.content_hash <> sha256(convert_to(k.configuration::text, 'UTF8'))
       or k.identity_strategy <> k.configuration ->> 'identity_strategy'
       or k.on_failure <> k.configuration ->> 'on_failure'
       or k.total_steps <> jsonb_array_length(k.configuration -> 'steps')
       or k.total_steps <> (select count(*) from tasker.named_tasks_named_steps as s where s.named_task_uuid = k.named_task_uuid)
       or k.root_steps <> (
         select count(*)
           from tasker.named_tasks_named_steps as s
          where s.named_task_uuid = k.named_task_uuid
            and s.total_parents = 0
            and s.for_each is null
       )
     );

  return query
  -- Creations read these values instead of the tables.
  select null::uuid, null::integer, null::integer, 'creation_plans', format('template "%s" version "%s" is created by a plan that is not its own', k.name, k.version)
    from tasker.named_tasks as k
    left join tasker.creation_plans as p
      on p.named_task_uuid = k.named_task_uuid
   where p is distinct from (select c from tasker.current_plan(k.named_task_uuid) as c);
end;
$$;

comment on function tasker.registry_problems is
$$Finds templates that were changed after their registration, and plans of creations that differ from their template, its steps or its namespace.$$;
