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
     -- "offset 0" keeps each look a probe of the key.
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
      hint    = 'Steps are made with their task, by tasker.create_task, or added to it by tasker.add_steps.';
  end if;
  return null;
end;
$$;

comment on function tasker.check_step_tasks() is
$$Trigger function: a step belongs to a task that exists. Raises TK422.

In place of a foreign key, which looks once for each step: a statement's steps are checked together, once for each task. Tasks are never deleted and their keys never change, but with their whole partition.$$;

revoke all on function tasker.check_step_tasks() from public;
