create or replace function tasker.list_waits(
  p_namespace    text         default null,
  p_task_name    text         default null,
  p_signal       text         default null,
  p_assignee     text         default null,
  p_older_than   interval     default null,
  p_after_since  timestamptz  default null,
  p_after_step   uuid         default null,
  p_limit        integer      default 100,
  p_event        text         default null,
  p_task_uuid    uuid         default null
)
  returns setof tasker.wait_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound  text[] := tasker.bound_namespaces();
  v_before timestamptz;
begin
  p_limit := coalesce(p_limit, 100);
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_limit(p_limit, 10000);
  perform tasker.check_wait_filters(p_task_name, p_signal, p_event, p_assignee, p_older_than, p_after_since, p_after_step);
  v_before := tasker.clock() - p_older_than;
  -- The query is planned for the given filters: the index of the signal, of the assignee or of the namespace.
  return query
  select
    tasker.step_uuid(w.task_uuid, w.step_no), w.task_uuid, w.step_no, w.namespace, k.name, k.version, s.name,
    d.description, w.waiting_since, w.due_at, case when w.due_at is null or s.await ? 'timeout' then coalesce(s.await ->> 'on_timeout', 'complete') else 'complete' end, w.assignee, g.signals, s.await -> 'any',
    t.tags, t.initiator, g.events, g.event_keys
  from (
    select w.*
      from tasker.waits as w
     where (p_namespace is null or w.namespace = p_namespace)
       and (v_bound is null or w.namespace = any (v_bound))
       and case
         when p_signal is not null then w.signal = p_signal
         when p_event is not null then w.event = p_event
         else w.first and w.signal is distinct from '$diverged'
       end
       and (
         p_event is null
         or case
           when p_signal is null then w.wait_no = tasker.first_wait_no(w.task_uuid, w.step_no, p_event)
           else tasker.first_wait_no(w.task_uuid, w.step_no, p_event) is not null
         end
       )
       and (p_assignee is null or w.assignee = p_assignee)
       and (p_task_uuid is null or w.task_uuid = p_task_uuid)
       and (v_before is null or w.waiting_since <= v_before)
       and (
         p_task_name is null
         or w.named_task_uuid in (select k.named_task_uuid from tasker.named_tasks as k where k.name = p_task_name)
       )
       and (
         p_after_since is null
         or (w.waiting_since, w.task_uuid, w.step_no)
              > (p_after_since, tasker.task_uuid_of(p_after_step), tasker.step_no_of(p_after_step))
       )
     order by w.waiting_since, w.task_uuid, w.step_no
     limit p_limit
  ) as w
  join tasker.named_tasks as k
    on k.named_task_uuid = w.named_task_uuid
  cross join lateral (
    select s.name, tasker.step_wait(s.await, s.wait, s.claim_no) as await
      from tasker.workflow_steps as s
     where s.task_uuid = w.task_uuid
       and s.step_no = w.step_no
    offset 0
  ) as s
  cross join lateral (
    select t.tags, t.initiator
      from tasker.tasks as t
     where t.task_uuid = w.task_uuid
    offset 0
  ) as t
  cross join lateral (
    select
      coalesce(array_agg(o.signal order by o.signal) filter (where o.signal is not null), '{}') as signals,
      coalesce(array_agg(o.event order by o.wait_no) filter (where o.event is not null), '{}') as events,
      coalesce(array_agg(o.event_key order by o.wait_no) filter (where o.event is not null), '{}') as event_keys
      from tasker.waits as o
     where o.task_uuid = w.task_uuid
       and o.step_no = w.step_no
  ) as g
  left join lateral (
    select e.value ->> 'description' as description
      from jsonb_array_elements(k.configuration -> 'steps') as e (value)
     where e.value ->> 'name' = s.name
     limit 1
  ) as d
    on true
  order by w.waiting_since, w.task_uuid, w.step_no;
end;
$$;

comment on function tasker.list_waits is
$$Returns the inbox: the steps that wait for a signal or an event and match all given filters, the longest waiting first. The filters are namespace, template, signal, assignee, minimum age, event and task. Null is no filter. Steps that only wait for a time are not listed. Steps whose function has changed are listed if p_signal is "$diverged", a signal that is never sent. A bound caller sees its namespaces only.

The next page begins after the last row of this page: p_after_since is the waiting_since of that row, p_after_step its step_uuid. Returns at most p_limit rows; p_limit is at most 10,000. Raises TK422 for an argument out of range, TK413 for a text that is too long, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_waits
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
