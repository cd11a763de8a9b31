create or replace function tasker.child_failure(p_task_uuid uuid)
  returns text
  language plpgsql
  stable
as $$
begin
  return coalesce(
    (
      select format('step "%s": %s', s.name, left(s.last_error, 500))
        from tasker.workflow_steps as s
       where s.task_uuid = p_task_uuid
         and (s.state = 'error' or s.state = 'cancelled' and s.effects & 1024 <> 0)
         and s.last_error is not null
       order by s.state <> 'error', s.last_failure_at, s.step_no
       limit 1
    ),
    (
      select left(l.reason, 500)
        from tasker.task_log as l
       where l.task_uuid = p_task_uuid
       order by l.sort_key desc
       limit 1
    ),
    'no error was recorded'
  );
end;
$$;

comment on function tasker.child_failure is
$$Returns why a task failed, in words: its first failed step with its error, or the reason of its last transition.$$;
