create or replace function tasker.check_step_tasks()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_tasks uuid[];
  v_task  uuid;
  v_rule  text;
begin
  -- Find the task of each new step, or null if the step breaks a rule of its own. The array of a subquery needs no
  -- aggregate.
  v_tasks := array(
    select
      case
        when tasker.is_step_uuid(r.workflow_step_uuid, r.task_uuid, r.step_no)
          and r.max_attempts between 1 and 10000
          and coalesce(r.timeout_seconds > 0, true)
        then r.task_uuid
      end
      from new_rows as r
  );
  -- Most statements insert the steps of one task. A plan for many tasks would open every partition.
  if v_tasks[1] = all (v_tasks) then
    perform from tasker.tasks as t where t.task_uuid = v_tasks[1];
    if found or v_tasks = '{}' then
      return null;
    end if;
    v_task := v_tasks[1];
  elsif array_position(v_tasks, null) is not null then
    select r.task_uuid, b.rule
      into v_task, v_rule
      from new_rows as r
     cross join lateral (
       select
         case
           when tasker.is_step_uuid(r.workflow_step_uuid, r.task_uuid, r.step_no) is not true then 'uuid'
           when r.max_attempts not between 1 and 10000 then 'attempts'
           when r.timeout_seconds <= 0 then 'timeout_seconds'
         end as rule
     ) as b
     where b.rule is not null
     limit 1;
    if v_rule = 'uuid' then
      raise exception using
        errcode = 'TK422',
        message = format('a new step of task %s does not have the UUID of its key', v_task),
        hint    = 'workflow_step_uuid is tasker.step_uuid(task_uuid, step_no), and step_no is in 1 to 65,535.';
    end if;
    v_rule := 'workflow_steps_' || v_rule || '_check';
    raise exception using
      errcode    = '23514',
      message    = format('new row for relation "workflow_steps" violates check constraint "%s"', v_rule),
      detail     = format('It is a step of task %s.', v_task),
      schema     = 'tasker',
      table      = 'workflow_steps',
      constraint = v_rule;
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
$$Trigger function: checks that the tasks of new steps exist, that each step's UUID matches its key, and the other columns that never change. Raises TK422 and 23514.

This trigger replaces a foreign key, which would query the task once for each step. It checks all steps of a statement together, once for each task. Tasks are only dropped with their whole partition, and their keys never change.$$;
