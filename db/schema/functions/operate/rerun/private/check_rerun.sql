create or replace function tasker.check_rerun(p_task tasker.tasks, p_step tasker.workflow_steps, p_by_hand boolean)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_failed boolean := p_step.state = 'cancelled' and p_step.step_no = any (tasker.taken_failures(p_task.task_uuid));
begin
  if p_task.erased_at is not null then
    perform tasker.raise_erased(p_task.task_uuid);
  elsif p_task.undo ? 'phase' or p_task.state in ('cancelled', 'resolved_manually') then
    raise exception using
      errcode = 'TK409',
      message = format(
        'task %s %s, and no step of it runs again', p_task.task_uuid,
        case
          when tasker.is_undone(p_task.undo) then 'is being undone'
          when p_task.undo ? 'phase' then 'has been undone'
          else 'is ' || p_task.state
        end
      ),
      hint    = format('Repeat it in a new task: tasker.fork_task(task, ''%s'').', replace(p_step.name, '''', ''''''));
  elsif p_task.complete and exists (
    select
      from tasker.workflow_steps as s
     where s.task_uuid = tasker.task_uuid_of(p_task.parent_step_uuid)
       and s.step_no = tasker.step_no_of(p_task.parent_step_uuid)
       and (s.child_task_uuid = p_task.task_uuid and s.state = 'complete'
            or p_task.task_uuid = any (s.child_task_uuids) and (s.wait -> 'started' ? p_task.task_uuid::text and s.state = 'suspended') is not true)
  ) then
    raise exception using
      errcode = 'TK409',
      message = format('step %s has taken the result of task %s', p_task.parent_step_uuid, p_task.task_uuid),
      hint    = 'Let that step run again: tasker.rerun_step(step, reason). It starts a new task.';
  elsif p_step.state = 'cancelled' and not v_failed then
    raise exception using
      errcode = 'TK409',
      message = format('step %s was skipped or cancelled, and has no result to correct', p_step.workflow_step_uuid),
      hint    = 'Let the step run again whose result decided that, or add a step with tasker.add_steps(task, steps).';
  elsif p_by_hand and p_step.for_each is not null then
    raise exception using
      errcode = 'TK409',
      message = format('step %s is a map, and has no result of its own', p_step.workflow_step_uuid),
      hint    = 'Correct the result of an instance: tasker.list_steps(task) lists them.';
  elsif p_by_hand and not v_failed and p_step.state not in ('complete', 'resolved_manually', 'error') then
    raise exception using
      errcode = 'TK409',
      message = format('step %s is %s, and has no result to correct', p_step.workflow_step_uuid, p_step.state),
      hint    = 'Complete it by hand: tasker.complete_step_manually(step, results, reason).';
  end if;
end;
$$;

comment on function tasker.check_rerun is
$$Raises TK409 with the remedy if a step cannot run again, because its task was erased, cancelled, resolved or undone,
or because the step that started the task has taken the task's result. Also raises TK409 if the step was skipped or
cancelled, unless the step failed and another step waited for that failure. With p_by_hand, also raises TK409 if the
step is a map or has no result. The caller holds the task's lock, so no step can take the task's result in the meantime.$$;
