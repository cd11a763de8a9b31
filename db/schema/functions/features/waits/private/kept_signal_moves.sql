create or replace function tasker.kept_signal_moves(p_moves tasker.step_moves[])
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_moves  tasker.step_moves[] := '{}';
  v_wait   record;
  v_signal tasker.task_signals;
begin
  -- In the order of the steps. Each step takes the oldest signal that fits it, and no step takes the signal
  -- of another step.
  for v_wait in
    select m.task_uuid, m.step_no, m.moved_at, s.await
      from unnest(p_moves) as m
     cross join lateral (
       select tasker.step_wait(s.await, s.wait, s.claim_no) as await
         from tasker.workflow_steps as s
        where s.task_uuid = m.task_uuid
          and s.step_no = m.step_no
          and tasker.step_wait(s.await, s.wait, s.claim_no) is not null
       offset 0
     ) as s
     where m.to_state = 'suspended'
       and m.event is not null
       and exists (
         select
           from tasker.task_signals as g
          where g.task_uuid = m.task_uuid
            and g.step_no is null
       )
     order by m.task_uuid, m.step_no
  loop
    select g.*
      into v_signal
      from tasker.task_signals as g
     where g.task_uuid = v_wait.task_uuid
       and g.step_no is null
       and tasker.takes_signal(v_wait.await, g.name, g.payload, g.sent_by)
     order by g.signal_no
     limit 1;
    if found then
      v_moves := v_moves || tasker.consume_signal(v_signal, v_wait.step_no);
    end if;
  end loop;
  return v_moves;
end;
$$;

comment on function tasker.kept_signal_moves is
$$Returns the moves of steps that were just suspended and for which a signal was kept. The steps take their signals, the oldest first. The caller holds the tasks' locks, under which every signal is sent, so no signal is missed.$$;
