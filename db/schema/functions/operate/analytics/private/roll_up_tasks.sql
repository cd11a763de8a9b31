create or replace function tasker.roll_up_tasks(p_since timestamptz)
  returns void
  language plpgsql
as $$
begin
  delete from tasker.task_rollups as r where r.bucket >= p_since;
  insert into tasker.task_rollups
  select c.* from tasker.count_tasks_since(p_since) as c;
end;
$$;

comment on function tasker.roll_up_tasks is
$$Counts the tasks that started or ended in the minutes from p_since on again, with their durations. The caller sets the
time zone to UTC.$$;
