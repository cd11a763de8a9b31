create or replace function tasker.explain_hold(p_task_uuid uuid)
  returns text
  language plpgsql
  stable
as $$
begin
  return (
    select format(
        ' %s has paused its task at %s, and no step of the task starts%s.', coalesce(l.actor, l.role, l.login),
        to_char(l.logged_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"'), ': ' || rtrim(left(nullif(l.reason, ''), 200), '.')
      )
      from tasker.administration_log as l
     where tasker.task_is_held(p_task_uuid)
       and l.kind = 'tasks'
       and l.object = p_task_uuid::text
       and l.call = 'pause_task'
     order by l.entry_no desc
     limit 1
  );
end;
$$;

comment on function tasker.explain_hold is
$$Returns a sentence about the pause of a task: the caller that has paused the task, the time and the reason. Returns null if the task is not paused.$$;
