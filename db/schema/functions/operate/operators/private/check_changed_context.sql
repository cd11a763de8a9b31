create or replace function tasker.check_changed_context(p_task tasker.tasks, p_context jsonb)
  returns void
  language plpgsql
  stable
as $$
declare
  v_template tasker.creation_templates;
  v_name     text;
  v_problem  text;
begin
  select k.namespace || '/' || k.name, k.input_schema, c.context_bytes, 'always_unique'
    into v_name, v_template.input_schema, v_template.context_bytes, v_template.identity_strategy
    from tasker.creation_plans as k
   cross join tasker.settings_now as c
   where k.named_task_uuid = p_task.named_task_uuid;
  perform tasker.check_task_requests(v_template, v_name, array[p_context], null, null);

  v_problem := coalesce(
    tasker.changed_run_key(p_task, p_context), tasker.changed_limit_key(p_task, p_context), tasker.changed_map(p_task, p_context)
  );
  if v_problem is not null then
    raise exception using
      errcode = 'TK409',
      message = format('the context of task %s cannot be changed so', p_task.task_uuid),
      detail  = v_problem,
      hint    = 'Cancel the task and create another one, or keep these values of the context.';
  end if;
end;
$$;

comment on function tasker.check_changed_context is
$$Raises an error if a task cannot get this context: TK422 and TK413 for the same reasons as for a new task. Raises
TK409 if the key of the task or of one of its steps, or the array of a map that has begun, would change.$$;
