create or replace function tasker.step_caller(p_task_uuid uuid, p_step_no integer, p_row_key integer)
  returns text[]
  language sql
  stable
begin atomic
  select coalesce(
    (
      select array[l.login, l.role]
        from tasker.step_log as l
       where l.task_uuid = p_task_uuid
         and l.step_no = p_step_no
         and l.sort_key between p_row_key - 4 and p_row_key
         and l.login is not null
       order by l.sort_key desc
       limit 1
    ),
    (select array[t.login, t.role] from tasker.tasks as t where t.task_uuid = p_task_uuid)
  );
end;

comment on function tasker.step_caller is
$$Returns who made a transition of a step: the role that was logged in, and the role that it had set, null if none. p_row_key is the key of the log row that has the transition. A row that does not say it has it from the row before, at most three in a row, the first from the task's creation.$$;
