create or replace function tasker.starting_parent(p_task_uuid uuid)
  returns tasker.tasks
  language plpgsql
  stable
as $$
declare
  v_parent tasker.tasks;
begin
  select t.* into v_parent from tasker.tasks as t where t.task_uuid = p_task_uuid;
  if v_parent.headers ? 'schedule' and exists (
    select
      from tasker.schedules as s
     where s.schedule = v_parent.headers ->> 'schedule'
       and p_task_uuid = any (s.running_tasks)
  ) then
    v_parent.login := null;
    v_parent.role := null;
  end if;
  return v_parent;
end;
$$;

comment on function tasker.starting_parent is
$$Returns a task whose step is about to start tasks. The login and role of the returned task become the creator of the started tasks. For a task of a schedule, login and role are null, because any session may fire the schedule.$$;
