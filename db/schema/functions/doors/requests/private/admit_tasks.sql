create or replace function tasker.admit_tasks(
  p_template  tasker.creation_templates,
  p_request   tasker.task_requests,
  p_uuids     uuid[],
  p_hashes    bytea[]
)
  returns uuid[]
  language plpgsql
as $$
begin
  if p_template.runs ->> 'further' not in ('skip', 'refuse') then
    return null;
  elsif p_uuids is null then
    perform tasker.admit_child_run(p_template, p_request);
    return null;
  end if;
  return tasker.admit_runs(p_template, p_request, p_uuids, p_hashes);
end;
$$;

comment on function tasker.admit_tasks is
$$Door: tasks of a template that bounds its runs are requested. Returns for each requested task an existing task that stands for it, or null. Returns null if no task has one. p_uuids is null for the task of a step, for which no other task can stand. Raises TK409 if the template refuses a task.$$;
