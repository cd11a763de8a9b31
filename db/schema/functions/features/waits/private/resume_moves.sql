create or replace function tasker.resume_moves(p_task_uuids uuid[], p_step_nos integer[])
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_moves tasker.step_moves[] := '{}';
  v_step  record;
begin
  for v_step in
    select s.task_uuid, s.step_no, e.ended_by
      from unnest(p_task_uuids, p_step_nos) as u (task_uuid, step_no)
     cross join lateral (
       select s.task_uuid, s.step_no, s.wait, s.moved_at
         from tasker.workflow_steps as s
        where s.task_uuid = u.task_uuid
          and s.step_no = u.step_no
          and s.state = 'suspended'
          and s.await is null
          and tasker.step_wait(null, s.wait, s.claim_no) is not null
       offset 0
     ) as s
     cross join lateral tasker.wait_end(s.wait, '{}', tasker.wait_since(s.wait, s.moved_at)) as e
     where e.ended_by is not null
     order by s.task_uuid, s.step_no
  loop
    v_moves := v_moves || tasker.ended_wait(
      v_step.task_uuid, v_step.step_no, v_step.ended_by, 'complete', null, 'its time came', null, true
    );
  end loop;
  return v_moves;
end;
$$;

comment on function tasker.resume_moves is
$$Returns the moves that continue the durable functions of these steps whose wait has ended by time. The caller holds the locks of the steps' tasks.$$;
