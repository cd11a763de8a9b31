create or replace function tasker.kept_signal_moves(p_moves tasker.step_moves[])
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_moves  tasker.step_moves[] := '{}';
  v_wait   record;
  v_signal tasker.task_signals;
begin
  -- Read the steps in their order. Each step takes the oldest kept signal that fits its wait and that no earlier step has
  -- taken.
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
$$Returns the moves of just suspended steps for which a signal is kept. Each step takes the oldest signal that fits its wait. The caller holds the tasks' locks. Signals are sent under these locks, so no signal is missed.$$;
