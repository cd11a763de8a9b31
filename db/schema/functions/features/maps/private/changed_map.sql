create or replace function tasker.changed_map(p_task tasker.tasks, p_context jsonb)
  returns text
  language plpgsql
  stable
as $$
begin
  return (
    select format('Map "%s" has begun with another array.', s.name)
      from tasker.workflow_steps as s
     cross join lateral (select (s.for_each ->> 'path')::jsonpath as path) as p
     where s.task_uuid = p_task.task_uuid
       and s.expansion is not null
       and s.state = 'pending'
       and not s.for_each ? 'step'
       and jsonb_path_query_first(p_task.context, p.path, '{}', true) is distinct from jsonb_path_query_first(p_context, p.path, '{}', true)
     order by s.step_no
     limit 1
  );
end;
$$;

comment on function tasker.changed_map is
$$Returns a sentence about the first map of a task that has begun and whose array would differ if the task had this context, or null if there is no such map.$$;
