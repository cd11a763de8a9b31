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
$$Door: a caller requests tasks of a template that limits how many of its tasks run. Returns, for each requested task, the existing task that is returned in its place, or null. Returns null instead of an array of nulls. p_uuids is null for the task of a step, which no existing task can replace. Raises TK409 if the template refuses a task.$$;
