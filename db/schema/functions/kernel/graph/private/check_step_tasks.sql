create or replace function tasker.check_step_tasks()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_task  uuid;
  v_named boolean;
begin
  select n.task_uuid, n.named
    into v_task, v_named
    from (
      select distinct
        r.task_uuid,
        r.workflow_step_uuid is not distinct from tasker.step_uuid(r.task_uuid, r.step_no) as named
      from new_rows as r
    ) as n
   where not n.named
      or not exists (
        select
          from tasker.tasks as t
         where t.task_uuid = n.task_uuid
        offset 0
      )
   limit 1;

  if not found then
    return null;
  end if;
  if v_named then
    raise exception using
      errcode = 'TK422',
      message = format('the task %s of a new step does not exist', v_task),
      hint    = 'Create steps with their task, by tasker.create_task, or add them by tasker.add_steps.';
  end if;
  raise exception using
    errcode = 'TK422',
    message = format('a new step of task %s does not have the UUID of its key', v_task),
    hint    = 'workflow_step_uuid is tasker.step_uuid(task_uuid, step_no).';
end;
$$;

comment on function tasker.check_step_tasks is
$$Trigger function: checks that the tasks of new steps exist and that each step's UUID matches its key. Raises TK422.

Replaces a foreign key, which would query once for each step: it checks a statement's steps together, once for each task. Tasks are only ever dropped with their whole partition, and their keys never change.$$;
