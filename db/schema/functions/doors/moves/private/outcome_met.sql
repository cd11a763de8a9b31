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
$$Door: returns whether an edge that waits for an outcome of the parent other than success is satisfied.$$;
