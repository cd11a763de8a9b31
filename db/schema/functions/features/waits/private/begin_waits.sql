create or replace function tasker.begin_waits(p_moves tasker.step_moves[])
  returns void
  language plpgsql
as $$
declare
  v_timers integer;
  v_events text[]; -- the namespaces of the steps that wait for an event
begin
  with begun as materialized (
    select m.task_uuid, m.step_no, m.moved_at, s.await, t.named_task_uuid, t.namespace, e.due_at,
           case when jsonb_path_exists(s.await, '$.any[*].event') then t.context end as context
      from unnest(p_moves) as m
     cross join lateral (
       select tasker.step_wait(s.await, s.wait, s.claim_no) as await
         from tasker.workflow_steps as s
        where s.task_uuid = m.task_uuid
          and s.step_no = m.step_no
          and tasker.step_wait(s.await, s.wait, s.claim_no) is not null
       offset 0
     ) as s
     cross join lateral (
       select t.named_task_uuid, t.context, n.name as namespace
         from tasker.tasks as t
         join tasker.named_tasks as k
           on k.named_task_uuid = t.named_task_uuid
         join tasker.task_namespaces as n
           on n.task_namespace_uuid = k.task_namespace_uuid
        where t.task_uuid = m.task_uuid
       offset 0
     ) as t
     cross join lateral tasker.wait_end(s.await, t.context, tasker.wait_since(s.await, m.moved_at)) as e
     where m.to_state = 'suspended'
       and m.event is not null
  ),
  awaited as (
    insert into tasker.waits (
      task_uuid, step_no, wait_no, signal, event, event_key, counts_from, namespace, named_task_uuid, first, waiting_since,
      due_at, assignee
    )
    select
      b.task_uuid, b.step_no, g.wait_no, g.signal, g.event, g.event_key, g.counts_from, b.namespace, b.named_task_uuid,
      g.place = 1, b.moved_at, b.due_at, b.await ->> 'assignee'
    from begun as b
    cross join lateral (
      select
        min(a.no)::integer as wait_no, a.signal, a.event, a.event_key, a.counts_from,
        row_number() over (order by min(a.no)) as place
        from (
          select
            a.no, a.value ->> 'signal' as signal, a.value ->> 'event' as event,
            case when a.value ? 'event' then tasker.event_key(a.value ->> 'key', b.context) end as event_key,
            case when a.value ? 'event' then
              tasker.wait_since(b.await, b.moved_at) - (a.value ->> 'look_back')::numeric * interval '1 second'
            end as counts_from,
            case when a.value ? 'event' then a.no end as alternative
            from jsonb_array_elements(b.await -> 'any') with ordinality as a (value, no)
           where a.value ?| '{signal,event}'
        ) as a
       where a.signal is not null
          or a.event_key is not null
       group by a.signal, a.event, a.event_key, a.counts_from, a.alternative
    ) as g
  ),
  noted as (
    insert into tasker.timers (task_uuid, step_no, kind, due_at, namespace)
    select b.task_uuid, b.step_no, 'end_wait'::tasker.timer_kind, b.due_at, b.namespace
      from begun as b
     where b.due_at is not null
    union all
    select b.task_uuid, b.step_no, 'start_child', tasker.clock(), b.namespace
      from begun as b
     where b.await ?| '{task,tasks}'
    union all
    -- A later transaction fires this note, and sees the events that this transaction cannot see.
    select b.task_uuid, b.step_no, 'match_wait', tasker.clock(), b.namespace
      from begun as b
     where b.context is not null
    on conflict (task_uuid, step_no, kind) do update
       set due_at = excluded.due_at,
           xact   = excluded.xact
    returning task_uuid
  )
  select (select count(*) from noted as n), (select array_agg(b.namespace) from begun as b where b.context is not null)
    into v_timers, v_events;

  -- Wake clients that sleep until work is due, because the new timers may be due sooner.
  if v_timers > 0 then
    -- A step that begins again continues with the task that it has, so do not cancel this task.
    delete from tasker.timers as d
     using unnest(p_moves) as m
     where d.task_uuid = any (array[m.task_uuid])
       and d.step_no = m.step_no
       and d.kind = 'cancel_child'
       and m.to_state = 'suspended'
       and m.event is not null
       -- A durable function starts other tasks, so its former tasks are cancelled.
       and not exists (
         select
           from tasker.workflow_steps as s
          where s.task_uuid = m.task_uuid
            and s.step_no = m.step_no
            and s.child_task_uuids is not null
       );
    perform tasker.notify_orchestrators();
    if v_events is not null then
      perform tasker.notify_steps_ready(u.namespace) from (select distinct u.namespace from unnest(v_events) as u (namespace)) as u;
    end if;
  end if;
end;
$$;

comment on function tasker.begin_waits is
$$Writes the waits of steps that were just suspended: a row for each signal and event, a timer if a time can end the wait, and notes that start the step's tasks and match the wait with the kept events. Writes no row for a step whose handler asked for no wait. The writer of moves calls this function.$$;
