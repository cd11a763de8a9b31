create or replace function tasker.charge_throttle(p_request tasker.task_requests, p_task_uuids uuid[])
  returns void
  language plpgsql
as $$
declare
  v_now      timestamptz;
  v_count    integer     := cardinality(p_task_uuids);
  v_waits    boolean     := coalesce(p_request.throttle_waits, false);
  v_each     interval    := make_interval(secs => p_request.throttle_seconds::double precision / p_request.throttle_limit);
  -- The share of one task may not be a whole number of microseconds, so add a microsecond for each task.
  v_period   interval    := make_interval(secs => p_request.throttle_seconds) + interval '1 microsecond' * p_request.throttle_limit;
  v_key      text        := coalesce(p_request.throttle_key, '');
  v_throttle tasker.creation_throttles;
  v_free     timestamptz;
begin
  insert into tasker.creation_throttles as h (namespace, task_name, throttle_key, free_at)
  values (p_request.namespace, p_request.name, v_key, tasker.clock())
  -- Insert and read in one statement. Otherwise maintenance could delete the row after an insertion that did nothing.
  on conflict (namespace, task_name, throttle_key) do update
     set free_at = h.free_at
  returning h.* into v_throttle;

  -- free_at is the time from which on no earlier creation of the key counts. If no task waits in the key's queue, free_at
  -- is at most the period ahead, unless the clock was put back or the period is shorter than before. In these two cases
  -- begin again at the present time, because a refusal is rolled back and so cannot correct free_at. The clock is read
  -- under the lock, so that earlier charges have read earlier times.
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
         -- When the queue is empty, the row counts like a new row again.
         queues  = v_waits or h.queues and h.free_at > v_now
   where h.namespace = p_request.namespace
     and h.task_name = p_request.name
     and h.throttle_key = v_key;
end;
$$;

comment on function tasker.charge_throttle is
$$Counts the creation of tasks against a throttle. Raises TK429 if there are too many tasks; then no task is counted or created. If the request has throttle_waits, the tasks are created and start one after the other instead.

Locks the throttle's row until the transaction ends, and waits for this lock.$$;
