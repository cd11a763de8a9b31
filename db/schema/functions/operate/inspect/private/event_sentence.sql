create or replace function tasker.event_sentence(
  p_step_name          text,
  p_event              text,
  p_from_state         text,
  p_to_state           text,
  p_worker             text,
  p_actor              text,
  p_why                text,
  p_execution_time_ms  bigint
)
  returns text
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return case when p_step_name is null then 'task ' else format('step "%s" ', p_step_name) end
    || case
      when p_step_name is not null and p_event = 'Enqueue' then 'became ready'
      when p_event = 'Start' and p_step_name is not null then 'was claimed' || coalesce(' by ' || p_worker, '')
      when p_event = 'Start' then 'started'
      when p_event = 'Suspend' then 'began to wait'
      when p_event = 'Resume' then 'goes on'
      when p_event = 'EnqueueForOrchestration' and p_from_state = 'suspended'
           and p_to_state = 'enqueued_for_orchestration' then 'ended its wait'
      when p_event = 'EnqueueForOrchestration' and p_from_state = 'suspended' then 'waited in vain'
      when p_event = 'EnqueueForOrchestration' and p_to_state = 'enqueued_for_orchestration' then 'returned a result'
      when p_event = 'EnqueueForOrchestration' then 'reported a failure'
      when p_event in ('Complete', 'AllStepsSuccessful', 'NoStepsFound') then 'completed'
      when p_event = 'CompleteManually' then 'was completed by hand'
      when p_event = 'WaitForRetry' then 'waits for another attempt'
      when p_event = 'Retry' then 'is to be tried again'
      when p_event = 'Fail' then 'failed for good'
      when p_event = 'Skip' then 'was skipped'
      when p_event = 'Tolerate' and p_why is not null then 'failed, and the task goes on'
      when p_event = 'Tolerate' then 'failed, which its map allows'
      when p_event = 'Cancel' then 'was cancelled'
      when p_event = 'Release' then 'was handed back'
      when p_event = 'LeaseExpired' then 'lost its worker' || coalesce(' ' || p_worker, '')
      when p_event = 'Reset' then 'was reset'
      when p_event = 'Rerun' and p_step_name is null then 'was opened again'
      when p_event = 'Rerun' then 'is to run again'
      when p_event in ('ResolveManually', 'ManualResolution') then 'was resolved by hand'
      when p_event = 'GiveUp' then 'was given up'
      when p_event = 'Timeout' then 'ran out of time'
      else format('went from %s to %s', replace(p_from_state, '_', ' '), replace(p_to_state, '_', ' '))
    end
    || coalesce(' after ' || p_execution_time_ms || ' ms', '')
    || case when p_actor is not null then ' by ' || p_actor else '' end
    || coalesce(': ' || p_why, '');
end;
$$;

comment on function tasker.event_sentence is
$$Describes an event of a task, or of one of its steps, in a sentence.$$;
