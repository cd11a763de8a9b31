create or replace function tasker.end_leases(p_step_uuids uuid[], p_claim_nos integer[], p_held boolean[])
  returns tasker.step_moves[]
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
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
  select array_agg((
      null, e.task_uuid, e.step_no, 'in_progress', null, null, null, 'in_progress', null, null, null, null, null, null,
      null, null, null, null, null, null, null, null, null, null, null, null, null
    )::tasker.step_moves)
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

comment on function tasker.end_leases(uuid[], integer[], boolean[]) is
$$Ends the leases of claimed steps whose task is being undone, when their worker hands them back: they are not tried again. Claims then find them lost. Returns a row for each. The caller holds the steps' locks.$$;

revoke all on function tasker.end_leases(uuid[], integer[], boolean[]) from public;
