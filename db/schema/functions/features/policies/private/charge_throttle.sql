create or replace function tasker.charge_throttle(p_request tasker.task_requests, p_count integer)
  returns void
  language plpgsql
as $$
declare
  v_now    timestamptz;
  v_each   interval    := make_interval(secs => p_request.throttle_seconds::double precision / p_request.throttle_limit);
  -- A share of it may not be a whole number of microseconds.
  v_period interval    := make_interval(secs => p_request.throttle_seconds) + interval '1 microsecond' * p_request.throttle_limit;
  v_key    text        := coalesce(p_request.throttle_key, '');
  v_free   timestamptz;
begin
  insert into tasker.creation_throttles as h (namespace, task_name, throttle_key, free_at)
  values (p_request.namespace, p_request.name, v_key, tasker.clock())
  -- One statement: maintenance may delete the row after an insertion that does nothing.
  on conflict (namespace, task_name, throttle_key) do update
     set free_at = h.free_at
  returning h.free_at into v_free;

  -- One timestamp for each key: when it would be as if nothing had been created. It is never further ahead than the
  -- period, unless the clock was put back or the period is a shorter one now: then it counts from the beginning, because a refusal
  -- is rolled back and could not mend it. The clock is read under the lock: those who charged before read it earlier.
  v_now := tasker.write_clock();
  v_free := case when v_free > v_now + v_period then v_now else greatest(v_free, v_now) end;
  v_free := v_free + v_each * p_count;
  if v_free > v_now + v_period then
    raise exception using
      errcode = 'TK429',
      message = format('too many tasks of template "%s/%s"', p_request.namespace, p_request.name),
      detail  = format('At most %s in %s seconds%s.', p_request.throttle_limit, p_request.throttle_seconds, case when v_key <> '' then format(' for key "%s"', left(v_key, 100)) else '' end),
      hint    = case
        when p_count > p_request.throttle_limit then format('Create them in calls of at most %s.', p_request.throttle_limit)
        when p_count > 1 then format('All %s may be created in %s seconds, one by one earlier.', p_count, ceil(extract(epoch from v_free - v_now - make_interval(secs => p_request.throttle_seconds))))
        else format('The next one may be created in %s seconds.', ceil(extract(epoch from v_free - v_now - make_interval(secs => p_request.throttle_seconds))))
      end;
  end if;
  update tasker.creation_throttles as h
     set free_at = v_free
   where h.namespace = p_request.namespace
     and h.task_name = p_request.name
     and h.throttle_key = v_key;
end;
$$;

comment on function tasker.charge_throttle is
$$Counts creations against a throttle. Raises TK429 if they are too many. Then nothing is charged, and nothing is created.

Locks the throttle's row, waiting, until the transaction ends.$$;
