create or replace function tasker.begin_waits(p_moves tasker.step_moves[])
  returns void
  language plpgsql
as $$
declare
  v_timers integer;
begin
  with begun as materialized (
    select m.task_uuid, m.step_no, m.moved_at, s.await, t.named_task_uuid, t.namespace, e.due_at
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
      task_uuid, step_no, signal, namespace, named_task_uuid, first, waiting_since, due_at, assignee
    )
    select
      b.task_uuid, b.step_no, g.signal, b.namespace, b.named_task_uuid, g.place = 1, b.moved_at, b.due_at,
      b.await ->> 'assignee'
    from begun as b
    cross join lateral (
      select g.signal, row_number() over (order by g.signal) as place
        from (
          select distinct a.value ->> 'signal' as signal
            from jsonb_array_elements(b.await -> 'any') as a (value)
           where a.value ? 'signal'
        ) as g
    ) as g
  )
  insert into tasker.timers (task_uuid, step_no, kind, due_at)
  select b.task_uuid, b.step_no, 'end_wait'::tasker.timer_kind, b.due_at
    from begun as b
   where b.due_at is not null
  union all
  select b.task_uuid, b.step_no, 'start_child', tasker.clock()
    from begun as b
   where b.await ? 'task'
  on conflict (task_uuid, step_no, kind) do update
     set due_at = excluded.due_at;

  -- A client that sleeps until something is due learns that it may be sooner.
  get diagnostics v_timers = row_count;
  if v_timers > 0 then
    -- A step that begins anew goes on with the task that it has.
    delete from tasker.timers as d
     using unnest(p_moves) as m
     where d.task_uuid = any (array[m.task_uuid])
       and d.step_no = m.step_no
       and d.kind = 'cancel_child'
       and m.to_state = 'suspended'
       and m.event is not null;
    perform tasker.notify_orchestrators();
  end if;
end;
$$;

comment on function tasker.begin_waits(tasker.step_moves[]) is
$$What a step that was suspended waits for: a row for each signal, a timer if time can end the wait, a note to start its task. Nothing for a step whose handler asked for nothing. For the writer of moves.$$;

revoke all on function tasker.begin_waits(tasker.step_moves[]) from public;
