create or replace function tasker.fire_timers(
  p_limit           integer,
  p_instances       integer,
  p_receivers       integer,
  p_head_start      interval,
  p_processor_uuid  uuid
)
  returns integer
  language plpgsql
as $$
declare
  v_now     timestamptz := tasker.clock();
  v_due     tasker.timers[];
  v_locked  uuid[];
  v_expired uuid[];
  v_started uuid[];
  v_retried uuid[];
  v_retries integer[];
  v_waited  uuid[];
  v_waits   integer[];
  v_noted   boolean;
  v_mapped  uuid[];
  v_maps    integer[];
  v_undone  uuid[];
  v_begun   uuid[];
  v_begins  integer[];
  v_events  uuid[];
  v_xact    bigint;
  v_fired   integer := 0;
begin
  v_due := array(
    select m
      from tasker.timers as m
     where m.due_at <= v_now + p_head_start
       and (m.due_at <= v_now or m.kind in ('expand_map', 'deliver_event'))
     order by m.due_at
     limit p_limit
       for update skip locked
  );
  if cardinality(v_due) = 0 then
    return 0;
  end if;
  -- To match a step that has begun to wait costs about as much as two instances of a map.
  if cardinality(v_due) > p_instances / 2 then
    v_due := array(
      select n.due
        from (
          select d as due, d.kind, row_number() over (partition by d.kind = 'match_wait' order by d.due_at) as place
            from unnest(v_due) as d
        ) as n
       where n.kind <> 'match_wait'
          or n.place <= p_instances / 2
    );
  end if;
  v_xact := pg_current_xact_id()::text::bigint;

  -- A task that another transaction holds is tried again in a second.
  v_locked := tasker.lock_tasks(array(select d.task_uuid from unnest(v_due) as d where d.kind not in ('fire_schedule', 'deliver_event')), false);
  if cardinality(v_locked) < cardinality(v_due) then
    update tasker.timers as m
       set due_at = v_now + case
             when d.kind in ('start_child', 'child_ended', 'cancel_child', 'match_wait') then interval '100 milliseconds'
             else interval '1 second'
           end
      from unnest(v_due) as d
     where m.task_uuid = any (array[d.task_uuid])
       and m.step_no = d.step_no
       and m.kind = d.kind
       and d.kind not in ('fire_schedule', 'deliver_event')
       and d.task_uuid <> all (v_locked);
  end if;

  select
    array_agg(d.task_uuid) filter (where d.kind = 'task_deadline'),
    array_agg(d.task_uuid) filter (where d.kind = 'start_task'),
    array_agg(d.task_uuid) filter (where d.kind = 'retry_step'),
    array_agg(d.step_no) filter (where d.kind = 'retry_step'),
    array_agg(d.task_uuid) filter (where d.kind = 'end_wait'),
    array_agg(d.step_no) filter (where d.kind = 'end_wait'),
    array_agg(d.task_uuid order by d.due_at) filter (where d.kind = 'expand_map'),
    array_agg(d.step_no order by d.due_at) filter (where d.kind = 'expand_map'),
    array_agg(d.task_uuid) filter (where d.kind = 'undo_task'),
    bool_or(d.kind in ('start_child', 'child_ended', 'cancel_child')),
    -- What this transaction has written itself is for a later one: it does not see what others are about to commit.
    array_agg(d.task_uuid) filter (where d.kind = 'match_wait' and d.xact <> v_xact),
    array_agg(d.step_no) filter (where d.kind = 'match_wait' and d.xact <> v_xact),
    count(*) filter (where d.kind <> 'match_wait' or d.xact <> v_xact)
    into v_expired, v_started, v_retried, v_retries, v_waited, v_waits, v_mapped, v_maps, v_undone, v_noted, v_begun, v_begins, v_fired
    from unnest(v_due) as d
   where d.task_uuid = any (v_locked);
  -- Deadlines first: they end tasks and delete their other timers.
  if v_expired is not null then
    perform tasker.expire_tasks(v_expired);
  end if;
  if v_started is not null then
    perform tasker.advance_tasks(v_started, p_processor_uuid);
  end if;
  if v_retried is not null then
    perform tasker.fire_retries(v_retried, v_retries, p_processor_uuid);
  end if;
  -- Before the time-outs: an event that came in time ends the wait.
  if v_begun is not null then
    perform tasker.match_waits(v_begun, v_begins, p_processor_uuid);
  end if;
  if cardinality(v_locked) < cardinality(v_due) then
    v_events := array(select d.task_uuid from unnest(v_due) as d where d.kind = 'deliver_event' and d.xact <> v_xact);
    if cardinality(v_events) > 0 then
      v_fired := v_fired + cardinality(v_events);
      perform tasker.deliver_events(v_events, least(p_limit, p_receivers), p_head_start, p_processor_uuid);
    end if;
    v_events := array(select d.task_uuid from unnest(v_due) as d where d.kind = 'deliver_event' and d.xact = v_xact);
    if cardinality(v_events) > 0 then
      v_fired := v_fired + tasker.deliver_own_events(v_events, p_limit, p_processor_uuid);
    end if;
  end if;
  if v_waited is not null then
    perform tasker.fire_waits(v_waited, v_waits, p_processor_uuid);
  end if;
  if v_mapped is not null then
    perform tasker.expand_maps(v_mapped, v_maps, p_instances, p_head_start, p_processor_uuid);
  end if;
  if v_undone is not null then
    perform tasker.undo_tasks(v_undone, p_processor_uuid);
  end if;
  if v_noted then
    perform tasker.fire_notes(array(select d from unnest(v_due) as d where d.task_uuid = any (v_locked)), p_processor_uuid);
  end if;
  if cardinality(v_locked) < cardinality(v_due) then
    -- Each creates a task. A claim does a few of them; the next one finds the rest due.
    v_fired := v_fired + (
      select count(*) filter (where tasker.fire_schedule(d.task_uuid))
        from (select d.task_uuid from unnest(v_due) as d where d.kind = 'fire_schedule' limit 20) as d
    );
  end if;
  return v_fired;
end;
$$;

comment on function tasker.fire_timers(integer, integer, integer, interval, uuid) is
$$Fires due timers as tasker.fire_due_timers describes, with checked arguments. Starts at most p_instances instances of maps, matches at most half as many steps that have begun to wait with events, and delivers events to at most p_receivers steps. A claim passes less than an orchestrator, since its worker waits for the steps that it claims. The rest of a map or of an event's delivery is due p_head_start later, or at once for a call that passes the same head start: so an orchestrator goes on with it before claims do, which pass 0.$$;

revoke all on function tasker.fire_timers(integer, integer, integer, interval, uuid) from public;
