create or replace function tasker.changed_limit_key(p_task tasker.tasks, p_context jsonb)
  returns text
  language plpgsql
  stable
as $$
begin
  return (
    select format('Step "%s" has the key "%s" in its limit, not "%s".', s.name, left(k.was, 100), left(k.becomes, 100))
      from tasker.workflow_steps as s
      join tasker.named_tasks_named_steps as n
        on n.named_task_uuid = p_task.named_task_uuid
       and n.step_no = coalesce(s.map_no, s.step_no)
     cross join lateral (
       select n.limit_key as path
       union all
       select (e.value ->> 'limit_key')::jsonpath from jsonb_array_elements(n.limit_needs -> 'limits') as e (value)
     ) as p
     cross join lateral (
       select
         tasker.limit_key_of(p.path, p_task.context, s.inputs) as was,
         tasker.limit_key_of(p.path, p_context, s.inputs) as becomes
     ) as k
     where s.task_uuid = p_task.task_uuid
       and s.limit_no is not null
       and s.state not in ('complete', 'resolved_manually', 'cancelled')
       and k.was <> k.becomes
     order by s.step_no
     limit 1
  );
end;
$$;

comment on function tasker.changed_limit_key is
$$Returns a sentence about the first open step that would have another key in a limit if the task had this context, or null if there is no such step.$$;
