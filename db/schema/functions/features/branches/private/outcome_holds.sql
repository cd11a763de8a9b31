create or replace function tasker.outcome_holds(p_outcome text, p_task_uuid uuid, p_step_no integer, p_state tasker.step_state)
  returns boolean
  language plpgsql
  stable
as $$
begin
  return case
    when p_state in ('complete', 'resolved_manually') then p_outcome = 'ended'
    when p_state = 'cancelled' then tasker.step_failed(p_task_uuid, p_step_no)
    else false
  end;
end;
$$;

comment on function tasker.outcome_holds is
$$Returns whether a parent in this state satisfies an edge that waits for this outcome. A failure satisfies "failed" and "ended"; a success satisfies only "ended". A skipped or cancelled step satisfies neither, unless a failure above this step was the reason.$$;
