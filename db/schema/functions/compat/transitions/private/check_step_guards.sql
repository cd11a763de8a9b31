create or replace function tasker.check_step_guards(p_step_uuid uuid, p_event text, p_from_state tasker.step_state)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_refusal text;
begin
  -- The caller has checked that the state machine allows the event. These conditions do not follow from the state alone.
  v_refusal := case
    when p_event = 'Rerun'
      then 'tasker.rerun_step(step, reason) runs it again, with all that depends on it'
    when p_event in ('Enqueue', 'Resume') and exists (
      select
        from tasker.workflow_steps as s
       where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
         and s.step_no = tasker.step_no_of(p_step_uuid)
         and s.await is not null
    )
      then 'it has no handler'
    when p_event in ('Enqueue', 'Suspend') and p_from_state = 'pending' and exists (
      select
        from tasker.workflow_steps as s
       where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
         and s.step_no = tasker.step_no_of(p_step_uuid)
         and s.for_each is not null
    )
      then 'it is a map, whose instances run'
    when p_event = 'Complete' and p_from_state = 'pending'
      then 'it has no result; only a map ends so, when its instances have settled'
    when p_from_state = 'error' and exists (
      select
        from tasker.workflow_steps as s
        join tasker.tasks as t
          on t.task_uuid = s.task_uuid
       where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
         and s.step_no = tasker.step_no_of(p_step_uuid)
         and s.undo_no is null
         and tasker.is_undone(t.undo)
    )
      then 'its task is being undone'
    when p_event = 'Tolerate'
      then 'only a map with allow_failures tolerates the failure of an instance, and a step that waits for a failure does so at once'
    when p_event = 'Suspend' and p_from_state = 'pending' and not tasker.step_dependencies_met(p_step_uuid)
      then 'its dependencies are not met'
    when p_event = 'Enqueue' and not tasker.step_dependencies_met(p_step_uuid)
      then 'its dependencies are not met'
    when p_event = 'CompleteManually' and p_from_state = 'pending' and not tasker.step_dependencies_met(p_step_uuid)
      then 'it has never run and its dependencies are not met'
    when p_event = 'Skip' and p_from_state = 'pending' and not exists (
      select
        from tasker.workflow_steps as s
       where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
         and s.step_no = tasker.step_no_of(p_step_uuid)
         and s.pending_parents = 0
         and not tasker.join_holds(s.join_mode, s.total_parents, s.pending_parents, s.satisfied_parents)
    )
      then 'its parents have not settled, or its join is satisfied'
    when p_event = 'LeaseExpired' and not exists (
      select
        from tasker.workflow_steps as s
       where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
         and s.step_no = tasker.step_no_of(p_step_uuid)
         and greatest(
           s.lease_until,
           tasker.leases_heard_since() + make_interval(secs => coalesce(s.lease_seconds, tasker.setting_integer('lease_seconds')))
         ) <= tasker.clock()
    )
      then 'the lease of its worker has not ended'
    when p_event = 'WaitForRetry' and not tasker.step_has_attempts_left(p_step_uuid)
      then 'it has no attempts left'
    when p_event = 'Retry' and not tasker.step_can_be_retried(p_step_uuid)
      then 'its next attempt is not due yet'
  end;

  if v_refusal is not null then
    raise exception using
      errcode = 'TK409',
      message = format('step %s cannot leave %s by %s: %s', p_step_uuid, p_from_state, p_event, v_refusal),
      hint    = 'tasker.explain_step(step) shows what it waits for.';
  end if;
end;
$$;

comment on function tasker.check_step_guards is
$$Raises TK409 if a condition beyond the state machine forbids the event of a step. The caller holds the step's lock.$$;
