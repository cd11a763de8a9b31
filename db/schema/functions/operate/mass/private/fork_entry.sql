create or replace function tasker.fork_entry(
  p_action  tasker.mass_actions,
  p_entry   tasker.selection_entries,
  p_reason  text,
  p_actor   text
)
  returns tasker.selection_entries
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_entry tasker.selection_entries := p_entry;
  v_from  text := p_action.arguments ->> 'from_step';
begin
  if v_from is null then
    select s.name
      into v_from
      from tasker.workflow_steps as s
     where s.task_uuid = v_entry.task_uuid
       and s.state = 'error'
     order by s.step_no
     limit 1;
    if not found then
      raise exception using
        errcode = 'TK409',
        message = 'no step of the task has failed',
        hint    = 'Name the step to fork from.';
    end if;
  end if;
  v_entry.result_uuid := tasker.fork_task(
    v_entry.task_uuid, v_from, p_action.arguments ->> 'version', p_reason, p_actor,
    coalesce((p_action.arguments ->> 'cancel')::boolean, true), p_action.selection_uuid::text
  );
  v_entry.watch := array(
    select s.step_no
      from tasker.workflow_steps as s
     where s.task_uuid = v_entry.result_uuid
       and s.name = v_from
     order by s.step_no
     limit 1
  );
  return v_entry;
end;
$$;

comment on function tasker.fork_entry is
$$Forks the task of an entry from the step that the mass action names, or else from its first failed step. The UUID of
the selection is the key of the fork, so that a task is forked only once. Raises TK409 if no step has failed, and the
errors of tasker.fork_task.$$;
