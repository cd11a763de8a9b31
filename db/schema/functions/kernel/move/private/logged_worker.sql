create or replace function tasker.logged_worker(p_event text, p_given uuid, p_holder uuid)
  returns uuid
  language sql
  immutable
  parallel safe
begin atomic
  select coalesce(p_given, case when p_event in ('EnqueueForOrchestration', 'Release', 'LeaseExpired') then p_holder end);
end;

comment on function tasker.logged_worker is
$$Returns the worker that the log names for a transition: the given worker, or the step's own worker if a worker caused the event.$$;
