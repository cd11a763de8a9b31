create or replace function tasker.logged_worker(p_event text, p_given uuid, p_holder uuid)
  returns uuid
  language sql
  immutable
  parallel safe
begin atomic
  select coalesce(p_given, case when p_event in ('EnqueueForOrchestration', 'Release', 'LeaseExpired') then p_holder end);
end;

comment on function tasker.logged_worker(text, uuid, uuid) is
$$Which worker a transition is logged for: the one given, or the step's own where the event is its doing.$$;

revoke all on function tasker.logged_worker(text, uuid, uuid) from public;
