create or replace function tasker.first_steps(p_named_task_uuid uuid)
  returns jsonb
  language sql
  stable
begin atomic
  select jsonb_build_object('count', k.root_steps - k.waiting_roots, 'step_nos', array(
      select s.step_no
        from tasker.named_tasks_named_steps as s
       where s.named_task_uuid = p_named_task_uuid
         and s.total_parents = 0
       order by s.step_no
       limit 100
    ))
    from tasker.named_tasks as k
   where k.named_task_uuid = p_named_task_uuid
     and k.root_steps > k.waiting_roots;
end;

comment on function tasker.first_steps is
$$Returns the outcome of a new task's first path: the number of steps that it enqueues, and the numbers of at most 100 steps without dependencies. Returns null if the path enqueues no step.$$;
