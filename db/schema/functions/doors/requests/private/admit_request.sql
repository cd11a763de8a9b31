create or replace function tasker.admit_request(p_request tasker.task_requests)
  returns tasker.task_requests
  language plpgsql
as $$
declare
  v_ok text; -- an assignment, unlike PERFORM, starts no executor
begin
  v_ok := tasker.check_creation_policy(p_request);
  if p_request.debounce_seconds is not null then
    p_request := tasker.debounce_request(p_request);
  end if;
  if p_request.throttle_waits and coalesce(p_request.start_at <= tasker.clock(), true) then
    -- Even a microsecond later counts as a later start. tasker.queue_throttled says when each of these tasks starts.
    p_request.start_at := tasker.clock() + interval '1 microsecond';
  end if;
  return p_request;
end;
$$;

comment on function tasker.admit_request is
$$Door: a caller requests tasks with a policy. Returns the request as the policies have changed it, or raises an error if a policy refuses it. tasker.make_tasks calls this door first, before any lock of its own.$$;
