create or replace function tasker.debounce_request(p_request tasker.task_requests)
  returns tasker.task_requests
  language plpgsql
as $$
declare
  v_debounce tasker.task_debounces;
begin
  perform tasker.check_given_name('initiator', p_request.initiator, null);
  v_debounce := tasker.supersede_debounced(
    p_request.namespace, p_request.name, p_request.identity_keys[1], p_request.initiator
  );
  p_request.debounce_hash := v_debounce.key_hash;
  p_request.debounced_since := v_debounce.first_at;
  p_request.start_at := least(
    tasker.clock() + make_interval(secs => p_request.debounce_seconds),
    v_debounce.first_at + make_interval(secs => p_request.debounce_longest_seconds)
  );
  -- A debounced request does not count as a repeat of an earlier request. The key's row, not an identity, names the last
  -- task.
  p_request.identity_keys := null;
  p_request.tick := concat('debounce ', gen_random_uuid());
  p_request.creator_namespaces := tasker.bound_namespaces();
  return p_request;
end;
$$;

comment on function tasker.debounce_request is
$$Cancels the task that a debounced request replaces, and returns the request with the start time and the identity of its own task.

Locks the key's row, then the task and its steps, and waits for these locks.$$;
