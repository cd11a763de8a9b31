create or replace function tasker.current_plan(p_named_task_uuid uuid)
  returns setof tasker.creation_plans
  language sql
  stable
begin atomic
  -- These are the paths of tasker.task_paths from "pending": 38 to steps_in_process, 19 to complete, 33 to
  -- waiting_for_dependencies.
  select
    k.named_task_uuid, n.name, k.name, k.version, k.retired_at, k.created_at, k.identity_strategy, p.state,
    k.total_steps = 0, k.has_maps, k.total_steps, k.root_steps - k.waiting_roots, k.waiting_roots, p.transition_count, k.root_effects,
    p.path, tasker.first_steps(k.named_task_uuid), case when k.has_compensations then '{}'::jsonb end,
    s.step_no, s.named_step_uuid, s.priority, n.transport, n.notify,
    n.paused_at is not null, k.on_failure, case when k.configuration ? 'encrypted' then k.configuration - (select array_agg(f.field) from jsonb_object_keys(k.configuration) as f (field) where f.field not in ('encrypted', 'input_schema')) else k.configuration -> 'input_schema' end, k.configuration -> 'runs'
    from tasker.named_tasks as k
    join tasker.task_namespaces as n
      on n.task_namespace_uuid = k.task_namespace_uuid
    join (values
      ('complete'::tasker.task_state, 2, 19::tasker.task_path), ('steps_in_process', 3, 38), ('waiting_for_dependencies', 2, 33)
    ) as p (state, transition_count, path)
      on p.state = case
        when k.total_steps = 0 then 'complete'::tasker.task_state
        when k.root_steps > k.waiting_roots then 'steps_in_process'
        else 'waiting_for_dependencies'
      end
    left join tasker.named_tasks_named_steps as s
      on s.named_task_uuid = k.named_task_uuid
     and s.total_parents = 0
     and s.await is null
     and s.for_each is null
     and not exists (
       select
         from tasker.named_tasks_named_steps as o
        where o.named_task_uuid = k.named_task_uuid
          and o.total_parents = 0
          and o.step_no <> s.step_no
     )
   where k.named_task_uuid = p_named_task_uuid;
end;

comment on function tasker.current_plan is
$$Computes the row of tasker.creation_plans for a version of a template. A task that starts at once gets the state in this row.$$;
