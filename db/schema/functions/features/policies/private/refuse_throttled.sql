create or replace function tasker.refuse_throttled(p_request tasker.task_requests, p_count integer, p_queues boolean, p_ahead interval)
  returns void
  language plpgsql
  stable
as $$
declare
  v_wait bigint := ceil(extract(epoch from p_ahead - make_interval(secs => p_request.throttle_seconds)));
begin
  raise exception using
    errcode = 'TK429',
    message = format('too many tasks of template "%s/%s"', p_request.namespace, p_request.name),
    detail  = format(
      'At most %s in %s seconds%s%s.', p_request.throttle_limit, p_request.throttle_seconds,
      case when p_request.throttle_key <> '' then format(' for key "%s"', left(p_request.throttle_key, 100)) else '' end,
      case when p_queues then format(', and %s tasks would wait for %s seconds', p_count, v_wait) else '' end
    ),
    hint    = case
      when p_queues then 'A task waits at most a year: create fewer tasks, or give a higher rate.'
      when p_count > p_request.throttle_limit then format('Create them in calls of at most %s.', p_request.throttle_limit)
      when p_count > 1 then format('All %s may be created in %s seconds, one by one earlier.', p_count, v_wait)
      else format('The next one may be created in %s seconds.', v_wait)
    end;
end;
$$;

comment on function tasker.refuse_throttled is
$$Raises TK429, because there are too many tasks for a throttle or for its queue. p_ahead is the time from now until the throttle would be free again.$$;
