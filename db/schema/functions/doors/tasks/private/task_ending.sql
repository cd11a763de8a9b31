create or replace function tasker.task_ending(
  p_task            tasker.tasks,
  p_facts           tasker.task_facts,
  p_event           text,
  p_to_state        tasker.task_state,
  p_processor_uuid  uuid,
  p_metadata        jsonb,
  p_actor           text
)
  returns boolean
  language plpgsql
as $$
begin
  if tasker.is_undone(p_facts.undo) then
    if p_event = 'GiveUp' then
      perform tasker.end_undo(p_task);
    end if;
    return true;
  end if;
  if p_facts.undo ? 'phase' or not tasker.has_to_undo(p_facts.task_uuid) then
    return false;
  end if;
  perform tasker.begin_undo(p_facts, p_event, p_to_state, p_processor_uuid, p_metadata, p_actor);
  return true;
end;
$$;

comment on function tasker.task_ending is
$$Door: a task that has something to undo is about to be cancelled or to fail. Returns true if a feature has taken the move over: then the undo of the task begins instead, or is already under way. Locks the task's open steps in the order of their numbers.$$;
