create or replace function tasker.make_child(p_parent tasker.tasks, p_step_no integer, p_task jsonb)
  returns uuid
  language plpgsql
as $$
declare
  v_namespace text := coalesce(p_task ->> 'namespace', tasker.namespace_of_task(p_parent.task_uuid));
  v_limit     integer := tasker.setting_integer('max_task_depth');
  v_context   jsonb;
  v_template  tasker.creation_templates;
  v_task      tasker.tasks;
  v_new       uuid[];
  v_ok        text;
begin
  if p_parent.depth >= v_limit then
    raise exception using
      errcode = 'TK422',
      message = format('tasks start tasks in more than %s levels', v_limit),
      hint    = 'A template that starts itself needs an end; the setting "max_task_depth" is the limit.';
  end if;
  v_ok := tasker.check_creator(p_parent, v_namespace);
  v_context := tasker.child_context(p_parent, p_step_no, p_task);
  v_template := tasker.find_template(v_namespace, p_task ->> 'name', p_task ->> 'version');
  -- The step's row has the task's UUID, so no identity is needed. An identity would be a row that another transaction may
  -- have locked.
  v_template.identity_strategy := 'always_unique';
  v_ok := tasker.check_task_requests(v_template, v_namespace || '/' || (p_task ->> 'name'), array[v_context], null, null);
  if v_template.runs is not null then
    v_ok := tasker.admit_one(v_template, v_namespace, p_task ->> 'name', v_context);
  end if;

  v_task := tasker.task_prototype(
    v_template, v_template.runs is null, p_parent.priority, null, p_parent.initiator, 'task', null, null, p_parent.correlation_id,
    p_parent.headers, null, case when p_parent.deadline > tasker.clock() then p_parent.deadline end
  );
  v_task.parent_step_uuid := tasker.step_uuid(p_parent.task_uuid, p_step_no);
  v_task.depth := p_parent.depth + 1;
  v_task.login := p_parent.login;
  v_task.role := p_parent.role;
  v_task.creator_namespaces := p_parent.creator_namespaces;
  v_new := tasker.insert_tasks(
    v_task, tasker.mint_task_uuids(1, v_template.range_ends_at), array[v_context], array[null]::bytea[], false
  );
  v_ok := tasker.insert_steps(v_task.named_task_uuid, v_new, v_namespace, v_task.requested_at, v_task.priority, v_template.runs is null);
  if v_task.deadline is not null and v_task.state <> 'complete' then
    v_ok := tasker.schedule_new_tasks(v_task, v_new, v_namespace, case when v_template.runs is not null then 'infinity'::timestamptz end);
  end if;
  if v_template.runs is not null then
    v_ok := tasker.start_new_tasks(v_template, v_new);
  elsif v_template.root_effects <> 0 or v_template.has_maps then
    v_ok := tasker.roots_born(v_task.named_task_uuid, v_new, v_task.requested_at, v_template.root_effects);
  end if;
  if v_template.runs is null then
    v_ok := tasker.log_new_tasks(v_template, v_new, v_task.requested_at);
  end if;
  if v_task.state = 'complete' then
    v_ok := tasker.note_child_end(v_new);
  end if;
  if v_template.transport = 'pgmq' and v_task.active_steps > 0 then
    v_ok := tasker.announce_steps(v_namespace, v_new);
  end if;
  v_ok := tasker.notify_new_tasks(
    v_namespace, v_template.notify, v_task.state, v_new, v_template.transport <> 'pgmq' and v_task.active_steps > 0
  );
  return v_new[1];
end;
$$;

comment on function tasker.make_child is
$$Creates a task that a step starts, and returns the UUID, which the caller writes into the step. The task has the parent's
priority, deadline, headers, initiator and creator, but no identity. The call waits for no other transaction. Raises the
errors of create_task, TK422 if the task would be deeper than the setting "max_task_depth", TK403 if the parent's creator
may not work in the namespace. The caller holds the parent's lock.$$;
