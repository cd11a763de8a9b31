create or replace function tasker.task_caller(p_task_uuid uuid, p_row_key integer)
  returns text[]
  language sql
  stable
begin atomic
  select coalesce(
    (
      select array[l.login, l.role]
        from tasker.task_log as l
       where l.task_uuid = p_task_uuid
         and l.sort_key between p_row_key - 8 and p_row_key
         and l.login is not null
       order by l.sort_key desc
       limit 1
    ),
    (select array[t.login, t.role] from tasker.tasks as t where t.task_uuid = p_task_uuid)
  );
end;

comment on function tasker.task_caller is
$$Returns who made a transition of a task: the role that was logged in, and the role that it had set, null if none. p_row_key is the key of the log row that has the transition. A row that does not say it has it from the row before, the first from the creation.$$;
