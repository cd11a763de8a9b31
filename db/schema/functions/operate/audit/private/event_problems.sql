create or replace function tasker.event_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  -- There is a row for each alternative that is an event, and no row for an event that no step waits for.
  select coalesce(s.task_uuid, w.task_uuid), coalesce(s.step_no, w.step_no), null::integer, 'waits',
         case when s.task_uuid is null
           then format('has event "%s" of a step that does not wait for it', w.event)
           else format('lacks event "%s" of a step that waits for it', s.event)
         end
    from (
      select s.task_uuid, s.step_no, a.no, a.value ->> 'event' as event, tasker.event_key(a.value ->> 'key', t.context) as event_key
        from tasker.workflow_steps as s
        join tasker.tasks as t
          on t.task_uuid = s.task_uuid
       cross join lateral jsonb_array_elements(
         tasker.step_wait(s.await, s.wait, s.claim_no) -> 'any'
       ) with ordinality as a (value, no)
       where s.state = 'suspended'
         and a.value ? 'event'
         and tasker.event_key(a.value ->> 'key', t.context) is not null
         and s.task_uuid >= p_from
         and s.task_uuid < p_to
    ) as s
    full join (
      select w.task_uuid, w.step_no, w.wait_no, w.event, w.event_key
        from tasker.waits as w
       where w.event is not null
         and w.task_uuid >= p_from
         and w.task_uuid < p_to
    ) as w
      on w.task_uuid = s.task_uuid
     and w.step_no = s.step_no
     and w.wait_no = s.no
     and w.event = s.event
     and w.event_key = s.event_key
   where s.task_uuid is null
      or w.task_uuid is null
  union all
  -- Each event has been delivered, or a timer will deliver it. Events do not belong to a range.
  select null, null, null, 'broadcasts', case
      when b.event_uuid is null then format('has the note of event %s, which does not exist or has been delivered', m.task_uuid)
      else format('lacks the note of event %s, which has not come to all waits', b.event_uuid)
    end
    from (select b.event_uuid from tasker.broadcasts as b where b.delivered_at is null) as b
    full join (select m.task_uuid from tasker.timers as m where m.kind = 'deliver_event') as m
      on m.task_uuid = b.event_uuid
   where b.event_uuid is null
      or m.task_uuid is null;
end;
$$;

comment on function tasker.event_problems is
$$Finds waits for events that do not agree with their steps, and events that no timer will deliver.$$;
