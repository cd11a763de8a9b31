create or replace function tasker.settled_by(p_task_uuid uuid, p_step_no integer)
  returns text
  language plpgsql
  stable
as $$
begin
  return (
    select case when l.event = 'Skip' and l.from_state = 'suspended' then 'Timeout' else l.event end
      from tasker.workflow_steps as s
     cross join lateral (
       select l.event, l.from_state
         from tasker.workflow_step_transition_log as l
        where l.task_uuid = p_task_uuid
          and l.step_no = p_step_no
          and l.row_key = s.transition_count
          and l.sort_key >= l.row_key -- the last transition of its path
       offset 0
     ) as l
     where s.task_uuid = p_task_uuid
       and s.step_no = p_step_no
       and s.state = 'cancelled'
  );
end;
$$;

comment on function tasker.settled_by is
$$Returns the event that settled a cancelled step: "Tolerate" if another step waits for its failure, "Skip" if the step was skipped before it began, "Timeout" if its wait ended by a timeout, or "Cancel". Returns null for a step in another state.$$;
