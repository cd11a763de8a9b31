create or replace function tasker.check_step_tasks()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_task uuid;
begin
  select n.task_uuid
    into v_task
    from (select distinct r.task_uuid from new_rows as r) as n
   where not exists (
     select
       from tasker.tasks as t
      where t.task_uuid = n.task_uuid
     offset 0
   )
   limit 1;

  if found then
    raise exception using
      errcode = 'TK422',
      message = format('the task %s of a new step does not exist', v_task),
      hint    = 'Create steps with their task, by tasker.create_task, or add them by tasker.add_steps.';
  end if;
  return null;
end;
$$;

comment on function tasker.check_step_tasks() is
$$Trigger function: checks that the tasks of new steps exist. Raises TK422.

Replaces a foreign key, which would query once for each step: it checks a statement's steps together, once for each task. Tasks are only ever dropped with their whole partition, and their keys never change.$$;

revoke all on function tasker.check_step_tasks() from public;
