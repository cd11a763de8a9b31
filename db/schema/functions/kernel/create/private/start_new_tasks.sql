create or replace function tasker.start_new_tasks(p_template tasker.creation_templates, p_task_uuids uuid[])
  returns void
  language plpgsql
as $$
begin
  if p_template.root_effects & 130 <> 0 then
    perform tasker.contexts_given(p_task_uuids, p_template.root_effects);
  end if;
  if p_template.runs is not null then
    perform tasker.tasks_made(p_task_uuids, null);
  else
    perform tasker.advance_tasks(p_task_uuids);
  end if;
end;
$$;

comment on function tasker.start_new_tasks is
$$Starts new tasks whose rows have been inserted, unless the template limits how many of its tasks run and has no place for them. Functions that create a single task with parts of tasker.make_tasks use this function.$$;
