create or replace function tasker.receipt_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
as $$
begin
  return query
  -- If an event ended a wait, the result of the wait is that event, and the step has taken the event once.
  select s.task_uuid, s.step_no, null::integer, 'broadcast_receipts', format('lacks the receipt of event "%s" that ended a wait', s.results ->> 'name')
    from tasker.workflow_steps as s
   where s.task_uuid >= p_from
     and s.task_uuid < p_to
     and s.await is not null
     and s.state = 'complete'
     and s.results ->> 'by' = 'event'
     and exists (select from tasker.broadcasts as b where b.event_uuid::text = s.results ->> 'event_uuid')
     and exists (
       select
         from tasker.workflow_step_transition_log as l
        where l.task_uuid = s.task_uuid
          and l.step_no = s.step_no
          and l.from_state = 'suspended'
          and l.to_state = 'enqueued_for_orchestration'
     )
     and not exists (
       select
         from tasker.broadcast_receipts as r
        where r.event_uuid::text = s.results ->> 'event_uuid'
          and r.task_uuid = s.task_uuid
          and r.step_no = s.step_no
     )
  union all
  select r.task_uuid, r.step_no, null, 'broadcast_receipts', format('has event %s as taken by a step whose history does not have it', r.event_uuid)
    from tasker.broadcast_receipts as r
    join tasker.broadcasts as b
      on b.event_uuid = r.event_uuid
    join tasker.workflow_steps as s
      on s.task_uuid = r.task_uuid
     and s.step_no = r.step_no
   where r.task_uuid >= p_from
     and r.task_uuid < p_to
     and s.await is not null
     and not exists (select from tasker.erasures as x where x.task_uuid = r.task_uuid)
     and not exists (
       select
         from tasker.workflow_step_transition_log as l
        where l.task_uuid = r.task_uuid
          and l.step_no = r.step_no
          and l.result_digest = tasker.result_digest(
            jsonb_build_object('by', 'event', 'key', b.key, 'event_uuid', b.event_uuid) || tasker.sent_answer(b.name, b.payload, b.sent_at)
          )
     )
  union all
  select r.task_uuid, r.step_no, null, 'broadcast_retries', format('has a step to try again for event %s, which is not being delivered', r.event_uuid)
    from tasker.broadcast_retries as r
    left join tasker.broadcasts as b
      on b.event_uuid = r.event_uuid
   where r.task_uuid >= p_from
     and r.task_uuid < p_to
     and (b.event_uuid is null or b.delivered_at is not null);
end;
$$;

comment on function tasker.receipt_problems is
$$Finds results of waits that differ from the events that ended the waits, and retries of events that are not being
delivered.$$;
