create or replace function tasker.check_creation_policy(p_request tasker.task_requests)
  returns void
  language plpgsql
  immutable
as $$
begin
  perform tasker.check_text_size('throttle''s key', p_request.throttle_key, 1000);
  if p_request.identity_scope not in ('forever', 'open', 'period') or (p_request.identity_scope = 'period') <> (p_request.identity_ttl is not null) then
    raise exception using
      errcode = 'TK422',
      message = format('the identity scope of a task cannot be "%s"%s', left(p_request.identity_scope, 100), case when p_request.identity_ttl is null then '' else ' with a time to live' end),
      hint    = 'It is forever, open, or period with p_identity_ttl.';
  elsif p_request.debounce_longest_seconds is not null and p_request.debounce_seconds is null
     or p_request.debounce_seconds not between 1 and 31536000
     or p_request.debounce_longest_seconds not between p_request.debounce_seconds and 31536000 then
    raise exception using
      errcode = 'TK422',
      message = 'a task cannot be debounced like this',
      detail  = format('%s seconds, %s at the longest', coalesce(p_request.debounce_seconds::text, 'no'), coalesce(p_request.debounce_longest_seconds::text, 'any time')),
      hint    = 'Give p_debounce_seconds from 1 second to a year, and the longest wait not below that.';
  elsif p_request.debounce_seconds is not null
    and (length(p_request.identity_keys[1]) between 1 and 1000 and num_nonnulls(p_request.start_at, p_request.identity_ttl, p_request.identity_scope) = 0 and p_request.deferred is not true) is not true then
    raise exception using
      errcode = 'TK422',
      message = 'a debounced task needs an identity key, and no start or identity scope of its own',
      hint    = 'Give p_identity_key: requests of the same key replace each other until the task starts.';
  elsif num_nonnulls(p_request.throttle_limit, p_request.throttle_seconds) = 1 or p_request.throttle_key is not null and p_request.throttle_limit is null
     or p_request.throttle_limit not between 1 and 1000000
     or p_request.throttle_seconds not between 1 and 31536000 then
    raise exception using
      errcode = 'TK422',
      message = 'the creation of tasks cannot be throttled like this',
      detail  = format('%s tasks in %s seconds', coalesce(p_request.throttle_limit::text, 'no'), coalesce(p_request.throttle_seconds::text, 'no')),
      hint    = 'Give both: p_throttle_limit from 1 to 1,000,000 tasks in p_throttle_seconds from 1 second to a year.';
  elsif p_request.throttle_waits and (p_request.throttle_limit is null or p_request.deferred) then
    raise exception using
      errcode = 'TK422',
      message = 'a task cannot wait for its turn like this',
      detail  = case when p_request.deferred then 'An orchestrator starts a deferred task.' else 'There is no throttle.' end,
      hint    = 'Give p_throttle_wait with p_throttle_limit and p_throttle_seconds, without p_deferred.';
  end if;
end;
$$;

comment on function tasker.check_creation_policy is
$$Raises TK422 if the policies of a request for a task are malformed or contradict each other, TK413 for a throttle's key that is too long.$$;
