create or replace function tasker.run_end_moves(p_task_uuids uuid[], p_parents uuid[])
  returns tasker.step_moves[]
  language plpgsql
  stable
as $$
declare
  v_bytes bigint := tasker.setting_integer('result_bytes');
  v_step  record;
  v_end   jsonb;
  v_moves tasker.step_moves[] := '{}';
begin
  for v_step in
    select distinct s.task_uuid, s.step_no, s.wait -> 'started' as started
      from unnest(p_task_uuids) as u (task_uuid)
     cross join lateral (
       select t.task_uuid, t.parent_step_uuid
         from tasker.tasks as t
        where t.task_uuid = u.task_uuid
          and t.complete
       offset 0
     ) as t
     cross join lateral (
       select s.*
         from tasker.workflow_steps as s
        where s.task_uuid = tasker.task_uuid_of(t.parent_step_uuid)
          and s.step_no = tasker.step_no_of(t.parent_step_uuid)
          and s.state = 'suspended'
          and (s.wait ->> 'claim_no')::integer = s.claim_no
          and s.wait -> 'started' ? t.task_uuid::text
       offset 0
     ) as s
     where s.task_uuid = any (p_parents)
     order by s.task_uuid, s.step_no
  loop
    v_end := tasker.run_end(v_step.started, v_bytes);
    if v_end is not null then
      v_moves := v_moves || tasker.ended_wait(v_step.task_uuid, v_step.step_no, 'task', null, v_end, null, null, true);
    end if;
  end loop;
  return v_moves;
end;
$$;

comment on function tasker.run_end_moves is
$$Returns the moves of functions that wait for these tasks, if all tasks of the wait have ended and the parent is in p_parents. The move continues the function with the results. The caller holds the locks of the tasks and of the parents.$$;
