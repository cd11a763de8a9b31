create or replace function tasker.deliver_event(p_event_uuid uuid, p_limit integer, p_head_start interval, p_processor uuid, p_singly boolean)
  returns integer
  language plpgsql
as $$
declare
  v_now     timestamptz := tasker.clock();
  v_event   tasker.broadcasts;
  v_tasks   uuid[];
  v_steps   integer[];
  v_new     integer;   -- waits that the event reaches for the first time
  v_again   integer;   -- steps whose task was locked at the last try
  v_locked  uuid[] := '{}';
  v_matches tasker.event_matches[];
  v_failed  tasker.event_matches[] := '{}';
begin
  select b.* into v_event from tasker.broadcasts as b where b.event_uuid = p_event_uuid;
  -- Read on in the order of the waits. A wait that begins later, before this place, has a note of its own.
  select array_agg(w.task_uuid), array_agg(w.step_no), count(*)
    into v_tasks, v_steps, v_new
    from (
      select w.task_uuid, w.step_no
        from tasker.waits as w
       where w.namespace = v_event.namespace
         and w.event = v_event.name
         and w.event_key = v_event.key
         and (w.task_uuid, w.step_no) > (v_event.passed_task_uuid, v_event.passed_step_no)
       order by w.task_uuid, w.step_no
       limit p_limit
    ) as w;
  if v_new > 0 then
    v_event.passed_task_uuid := v_tasks[v_new];
    v_event.passed_step_no := v_steps[v_new];
  end if;
  select v_tasks || array_agg(r.task_uuid), v_steps || array_agg(r.step_no), count(*)
    into v_tasks, v_steps, v_again
    from (
      select r.task_uuid, r.step_no
        from tasker.broadcast_retries as r
       where r.event_uuid = p_event_uuid
         and r.due_at <= v_now + p_head_start
       order by r.due_at
       limit p_limit - v_new
    ) as r;

  if v_new + v_again > 0 then
    v_locked := tasker.lock_tasks(v_tasks);
    -- A separate statement after the locks sees the present state of the waits.
    v_matches := array(
      select m
        from tasker.match_events(
          array(select u.task_uuid from unnest(v_tasks, v_steps) as u (task_uuid, step_no) where u.task_uuid = any (v_locked) group by u.task_uuid, u.step_no order by u.task_uuid, u.step_no),
          array(select u.step_no from unnest(v_tasks, v_steps) as u (task_uuid, step_no) where u.task_uuid = any (v_locked) group by u.task_uuid, u.step_no order by u.task_uuid, u.step_no),
          p_event_uuid
        ) as m
    );
    if p_singly then
      v_failed := tasker.receive_singly(v_matches, p_processor);
    else
      perform tasker.receive_events(v_matches, p_processor);
    end if;
  end if;
  if v_again > 0 then
    delete from tasker.broadcast_retries as r
     using unnest(v_tasks, v_steps) as u (task_uuid, step_no)
     where r.event_uuid = any (array[p_event_uuid])
       and r.task_uuid = u.task_uuid
       and r.step_no = u.step_no
       and u.task_uuid = any (v_locked);
  end if;
  if v_new + v_again > 0 then
    perform tasker.postpone_receivers(p_event_uuid, v_tasks, v_steps, v_locked, v_now + interval '1 second');
  end if;
  if cardinality(v_failed) > 0 then
    perform tasker.postpone_receivers(
      p_event_uuid, array(select f.task_uuid from unnest(v_failed) as f), array(select f.step_no from unnest(v_failed) as f), '{}',
      v_now + interval '1 minute'
    );
  end if;

  perform tasker.note_delivery(v_event, v_new + v_again < p_limit, v_now, p_head_start);
  return v_new + v_again;
end;
$$;

comment on function tasker.deliver_event is
$$Delivers an event to the next p_limit steps that wait for it, and returns the number of steps that it tried. If another transaction has the task of a step locked, the step is tried again in a second and does not delay the other steps. If more steps may wait, the rest of the delivery is due in p_head_start. With p_singly each step gets the event in a subtransaction, and a step that fails is tried again in a minute. The caller holds the event's note, which is deleted when no step is left.$$;
