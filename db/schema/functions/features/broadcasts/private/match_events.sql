create or replace function tasker.match_events(p_task_uuids uuid[], p_step_nos integer[], p_until uuid)
  returns setof tasker.event_matches
  language plpgsql
  stable
as $$
begin
  return query
  select s.task_uuid, s.step_no, e.event_uuid, s.function
    from unnest(p_task_uuids, p_step_nos) as u (task_uuid, step_no)
   cross join lateral (
     select s.task_uuid, s.step_no, s.await is null as function, tasker.step_wait(s.await, s.wait, s.claim_no) as await
       from tasker.workflow_steps as s
      where s.task_uuid = u.task_uuid
        and s.step_no = u.step_no
        and s.state = 'suspended'
     offset 0
   ) as s
   cross join lateral (
     select b.event_uuid
       from tasker.waits as w
      cross join lateral (
        select b.event_uuid, b.sent_at
          from tasker.broadcasts as b
         where b.namespace = w.namespace
           and b.name = w.event
           and b.key = w.event_key
           and b.sent_at >= w.counts_from
           and (
             p_until is null
             or b.delivered_at is null
                and (b.sent_at, b.event_uuid) <= (select e.sent_at, e.event_uuid from tasker.broadcasts as e where e.event_uuid = p_until)
           )
           and tasker.condition_holds(tasker.stored_path(s.await -> 'any' -> (w.wait_no - 1) ->> 'when'), b.payload)
           and not exists (
             select
               from tasker.broadcast_receipts as r
              where r.event_uuid = b.event_uuid
                and r.task_uuid = w.task_uuid
                and r.step_no = w.step_no
           )
         order by b.sent_at, b.event_uuid
         limit 1
      ) as b
      where w.task_uuid = s.task_uuid
        and w.step_no = s.step_no
        and w.event is not null
      order by b.sent_at, b.event_uuid
      limit 1
   ) as e
   -- A wait that has not been matched with the kept events yet gets no new event: match_waits first gives it the oldest
   -- kept event.
   where p_until is null
      or not exists (
        select
          from tasker.timers as m
         where m.task_uuid = u.task_uuid
           and m.step_no = u.step_no
           and m.kind = 'match_wait'
      )
   order by s.task_uuid, s.step_no;
end;
$$;

comment on function tasker.match_events is
$$Returns the event that each of these steps takes: the oldest event that matches the step's wait, that the step has not received before and whose payload fits. A wait that finds a kept event and an event that finds a wait use the same rule. When a wait has begun, p_until is null and all kept events count. When event p_until is delivered, an event counts only if it is not later than p_until and its delivery has not ended.

The caller holds the tasks' locks. Its snapshot is later than the commit of the transaction that wrote the wait or the event.$$;
