create or replace function tasker.deliver_own_events(p_event_uuids uuid[], p_limit integer, p_processor uuid)
  returns integer
  language plpgsql
as $$
declare
  v_tasks   uuid[];
  v_steps   integer[];
  v_locked  uuid[];
  v_matches tasker.event_matches[];
begin
  select array_agg(w.task_uuid order by w.task_uuid, w.step_no), array_agg(w.step_no order by w.task_uuid, w.step_no)
    into v_tasks, v_steps
    from (
      select distinct w.task_uuid, w.step_no
        from unnest(p_event_uuids) as u (event_uuid)
       cross join lateral (
         select b.namespace, b.name, b.key
           from tasker.broadcasts as b
          where b.event_uuid = u.event_uuid
         offset 0
       ) as b
        join tasker.waits as w
          on w.namespace = b.namespace
         and w.event = b.name
         and w.event_key = b.key
       limit p_limit
    ) as w;
  if v_tasks is null then
    return 0;
  end if;
  v_locked := tasker.lock_tasks(v_tasks);
  v_matches := array(
    select m
      from tasker.match_events(
        array(select u.task_uuid from unnest(v_tasks, v_steps) with ordinality as u (task_uuid, step_no, no) where u.task_uuid = any (v_locked) order by u.no),
        array(select u.step_no from unnest(v_tasks, v_steps) with ordinality as u (task_uuid, step_no, no) where u.task_uuid = any (v_locked) order by u.no),
        null
      ) as m
  );
  perform tasker.receive_events(v_matches, p_processor);
  return cardinality(v_matches);
end;
$$;

comment on function tasker.deliver_own_events is
$$Delivers events that this transaction has emitted itself to at most p_limit steps that this transaction sees. Returns the number of steps that took an event. The notes of the events stay for a later transaction, which sees the steps that begin to wait meanwhile. Only tests need this function, because they emit, wait and work in one transaction. Other callers do not fire timers in the transaction that emits.$$;
