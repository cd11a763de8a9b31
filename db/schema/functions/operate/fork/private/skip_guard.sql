create or replace function tasker.skip_guard(p_step tasker.workflow_steps)
  returns text
  language plpgsql
  stable
as $$
begin
  return (
    select coalesce(l.metadata ->> 'guard', case
        when l.event = 'Tolerate' then 'its map allows the failure'
        when l.from_state = 'suspended' then 'its wait timed out'
        else 'its join is not satisfied'
      end)
      from tasker.workflow_step_transition_log as l
     where l.task_uuid = (p_step).task_uuid
       and l.step_no = (p_step).step_no
       and l.row_key = (p_step).transition_count
       and l.sort_key >= l.row_key -- the last transition of its path
  );
end;
$$;

comment on function tasker.skip_guard is
$$Returns in words why a step was skipped, or why its failure was tolerated. The reason is the guard of the step's last
transition or, in a fork, the guard of the step that was taken over.$$;
