create or replace function tasker.end_leases(p_step_uuids uuid[], p_claim_nos integer[], p_held boolean[])
  returns tasker.step_moves[]
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_now   timestamptz := tasker.write_clock();
  v_moves tasker.step_moves[];
begin
  with ended as (
    update tasker.workflow_steps as s
       set lease_until = v_now
      from unnest(p_step_uuids, p_claim_nos, p_held) as u (step_uuid, claim_no, held)
     where s.task_uuid = any (array[tasker.task_uuid_of(u.step_uuid)])
       and s.step_no = tasker.step_no_of(u.step_uuid)
       and s.claim_no = u.claim_no
       and s.state = 'in_progress'
       and s.undo_level is not null
       and u.held
    returning s.task_uuid, s.step_no
  )
  select array_agg(tasker.step_move(
    p_task_uuid => e.task_uuid, p_step_no => e.step_no, p_from_state => 'in_progress', p_to_state => 'in_progress'
  ))
    into v_moves
    from ended as e;
  update tasker.step_queue as q
     set visible_at = v_now
    from unnest(v_moves) as m
   where q.task_uuid = any (array[m.task_uuid])
     and q.step_no = m.step_no;
  return v_moves;
end;
$$;

comment on function tasker.end_leases is
$$Ends the leases of claimed steps whose task is being undone, when their worker releases them. The steps are not tried again: later claims find them lost. Returns a row for each of these steps. The caller holds the locks of the steps.$$;
