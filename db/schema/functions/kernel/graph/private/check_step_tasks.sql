create or replace function tasker.check_step_tasks()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_tasks uuid[];
  v_task  uuid;
begin
  -- The task of each new step; null if the step's UUID is not that of its key. An array of a subquery needs no aggregate.
  v_tasks := array(
    select case when r.workflow_step_uuid = tasker.step_uuid(r.task_uuid, r.step_no) then r.task_uuid end
      from new_rows as r
  );
  -- The usual statement inserts the steps of one task. A plan for many tasks would open every partition.
  if v_tasks[1] = all (v_tasks) then
    perform from tasker.tasks as t where t.task_uuid = v_tasks[1];
    if found or v_tasks = '{}' then
      return null;
    end if;
    v_task := v_tasks[1];
  elsif array_position(v_tasks, null) is not null then
    select r.task_uuid
      into v_task
      from new_rows as r
     where r.workflow_step_uuid is distinct from tasker.step_uuid(r.task_uuid, r.step_no)
     limit 1;
    raise exception using
      errcode = 'TK422',
      message = format('a new step of task %s does not have the UUID of its key', v_task),
      hint    = 'workflow_step_uuid is tasker.step_uuid(task_uuid, step_no).';
  else
    select n.task_uuid
      into v_task
      from (select distinct u.task_uuid from unnest(v_tasks) as u (task_uuid)) as n
     where not exists (
       select
         from tasker.tasks as t
        where t.task_uuid = n.task_uuid
       offset 0
     )
     limit 1;
    if not found then
      return null;
    end if;
  end if;
  raise exception using
    errcode = 'TK422',
    message = format('the task %s of a new step does not exist', v_task),
    hint    = 'Create steps with their task, by tasker.create_task, or add them by tasker.add_steps.';
end;
$$;

comment on function tasker.check_step_tasks is
$$Trigger function: checks that the tasks of new steps exist and that each step's UUID matches its key. Raises TK422.

Replaces a foreign key, which would query once for each step: it checks a statement's steps together, once for each task. Tasks are only ever dropped with their whole partition, and their keys never change.$$;
