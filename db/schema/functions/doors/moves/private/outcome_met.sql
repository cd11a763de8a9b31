create or replace function tasker.outcome_met(p_outcome text, p_task_uuid uuid, p_step_no integer, p_state tasker.step_state)
  returns boolean
  language plpgsql
  stable
as $$
begin
  return tasker.outcome_holds(p_outcome, p_task_uuid, p_step_no, p_state);
end;
$$;

comment on function tasker.outcome_met is
$$Door: an edge waits for another outcome of this parent than its success. Returns whether the edge is satisfied.$$;
