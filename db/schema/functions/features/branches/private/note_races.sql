create or replace function tasker.note_races(p_moves tasker.step_moves[])
  returns void
  language plpgsql
as $$
begin
  insert into tasker.timers (task_uuid, step_no, kind, due_at, namespace)
  select s.task_uuid, s.step_no, 'end_race', tasker.clock(), tasker.namespace_of_task(s.task_uuid)
    from unnest(p_moves) as m
   cross join lateral (
     select s.task_uuid, s.step_no
       from tasker.workflow_steps as s
      where s.task_uuid = m.task_uuid
        and s.step_no = m.step_no
        and s.pending_parents > 0
     offset 0
   ) as s
   where m.effects & 2048 <> 0
     and m.to_state in ('enqueued', 'suspended')
  on conflict (task_uuid, step_no, kind) do nothing;
  if found then
    -- Wake clients that sleep until work is due, because the note is due now.
    perform tasker.notify_orchestrators();
  end if;
end;
$$;

comment on function tasker.note_races is
$$Writes a note for each step with join: first that begins while other dependencies are open. The note is a timer that is due at once; usually the claim of the same exchange fires it. The note cancels the other branches. The caller holds the tasks' locks.$$;
