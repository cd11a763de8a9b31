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
$$Returns the caller that made a transition of a step: the login role, and the role that it had set, or null if it had set none. p_row_key is the key of the log row that has the transition. If a row does not name the caller, its caller is the same as in the previous row, over at most three rows. The caller of the first row is then the creator of the task.$$;
