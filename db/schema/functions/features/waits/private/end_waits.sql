create or replace function tasker.end_waits(p_moves tasker.step_moves[])
  returns void
  language plpgsql
as $$
begin
  delete from tasker.waits as w
   using unnest(p_moves) as m
   where w.task_uuid = any (array[m.task_uuid])
     and w.step_no = m.step_no
     and m.from_state = 'suspended'
     and m.event is not null;
  with ended as (
    delete from tasker.timers as d
     using unnest(p_moves) as m
     where d.task_uuid = any (array[m.task_uuid])
       and d.step_no = m.step_no
       and d.kind in ('end_wait', 'start_child', 'match_wait')
       and m.from_state = 'suspended'
       and m.event is not null
  )
  insert into tasker.timers (task_uuid, step_no, kind, due_at, namespace)
  select m.task_uuid, m.step_no, 'cancel_child', tasker.clock(), tasker.namespace_of_task(m.task_uuid)
    from unnest(p_moves) as m
   cross join lateral (
     select
       from tasker.workflow_steps as s
      where s.task_uuid = m.task_uuid
        and s.step_no = m.step_no
        and (s.child_task_uuid is not null and s.await is not null or s.wait ? 'started')
        and not coalesce(s.await, '{}') @> '{"task": {"abandon": true}}'
     offset 0
   ) as s
   where m.from_state = 'suspended'
     and m.event is not null
  on conflict (task_uuid, step_no, kind) do nothing;
  if found then
    perform tasker.notify_orchestrators();
  end if;
end;
$$;

comment on function tasker.end_waits is
$$Ends the waits of steps that have left the state suspended: deletes their rows in tasker.waits and their timers, and writes notes that cancel the tasks that they waited for. The writer of moves calls this function.$$;
