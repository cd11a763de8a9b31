create or replace function tasker.was_waiting(p_event text, p_metadata jsonb)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select coalesce(p_event = 'LeaseExpired' and p_metadata ->> 'begun' = 'false', false);
end;

comment on function tasker.was_waiting is
$$Returns whether an event means that a worker was lost before it had begun the step.$$;
