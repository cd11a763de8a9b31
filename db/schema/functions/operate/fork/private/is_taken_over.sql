create or replace function tasker.is_taken_over(p_step tasker.workflow_steps)
  returns boolean
  language plpgsql
  stable
as $$
begin
  return case
    when (p_step).state in ('complete', 'resolved_manually') then true
    when (p_step).state <> 'cancelled' then false
    else (
      select l.event in ('Skip', 'Tolerate')
        from tasker.workflow_step_transition_log as l
       where l.task_uuid = (p_step).task_uuid
         and l.step_no = (p_step).step_no
         and l.row_key = (p_step).transition_count
         and l.sort_key >= l.row_key -- the last transition of its path
    )
  end;
end;
$$;

comment on function tasker.is_taken_over is
$$Returns whether a fork takes over the outcome of a step. The outcome is taken over if the step is done or resolved, if
it was skipped, or if its failure was tolerated. If a person cancelled the step or its task, the step runs again. Steps
that were undone also run again (tasker.fork_distances finds them).$$;
