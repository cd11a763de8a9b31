create or replace function tasker.charge_throttle(p_request tasker.task_requests, p_task_uuids uuid[])
  returns void
  language plpgsql
as $$
declare
  v_now      timestamptz;
  v_count    integer     := cardinality(p_task_uuids);
  v_waits    boolean     := coalesce(p_request.throttle_waits, false);
  v_each     interval    := make_interval(secs => p_request.throttle_seconds::double precision / p_request.throttle_limit);
  -- A share of it may not be a whole number of microseconds.
  v_period   interval    := make_interval(secs => p_request.throttle_seconds) + interval '1 microsecond' * p_request.throttle_limit;
  v_key      text        := coalesce(p_request.throttle_key, '');
  v_throttle tasker.creation_throttles;
  v_free     timestamptz;
begin
  insert into tasker.creation_throttles as h (namespace, task_name, throttle_key, free_at)
  values (p_request.namespace, p_request.name, v_key, tasker.clock())
  -- One statement, because maintenance may delete the row after an insertion that does nothing.
  on conflict (namespace, task_name, throttle_key) do update
     set free_at = h.free_at
  returning h.* into v_throttle;

  -- Each key has one timestamp: the time at which the key would be as if no task had been created. Unless tasks wait in the key's
  -- queue, the timestamp is never further ahead than the period, except if the clock was put back or the period is shorter now. In that
  -- case it counts from the beginning, because a refusal is rolled back and could not mend the timestamp. The clock is read under the
  -- lock, so earlier charges read it earlier.
  v_now := tasker.write_clock();
  v_free := case
    when v_throttle.free_at > v_now + v_period and not v_throttle.queues then v_now
    else greatest(v_throttle.free_at, v_now)
  end;
  if v_waits and v_free + v_each * v_count <= v_now + v_period + interval '1 year' then
    perform tasker.queue_throttled(p_task_uuids, p_request.start_at, v_free - v_period, v_each);
  elsif v_waits or v_free + v_each * v_count > v_now + v_period then
    perform tasker.refuse_throttled(p_request, v_count, v_waits, v_free + v_each * v_count - v_now);
  end if;
  update tasker.creation_throttles as h
     set free_at = v_free + v_each * v_count,
         -- Once the queue is empty, the row begins like a new row.
         queues  = v_waits or h.queues and h.free_at > v_now
   where h.namespace = p_request.namespace
     and h.task_name = p_request.name
     and h.throttle_key = v_key;
end;
$$;

comment on function tasker.charge_throttle is
$$Counts creations against a throttle. Raises TK429 if they are too many. Then no task is charged or created. If the request waits, each task starts in its turn instead.

Locks the throttle's row, waiting, until the transaction ends.$$;
