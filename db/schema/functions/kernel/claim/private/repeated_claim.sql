create or replace function tasker.repeated_claim(p_worker_uuid uuid, p_request_uuid uuid)
  returns tasker.step_moves[]
  language plpgsql
  stable
as $$
begin
  return array(
    select tasker.step_move(
      p_task_uuid => s.task_uuid, p_step_no => s.step_no, p_from_state => 'enqueued', p_event => 'Start',
      p_to_state => 'in_progress', p_claim_no => s.claim_no, p_worker_uuid => s.worker_uuid,
      p_lease_until => s.lease_until
    )
      from tasker.workers as w
     cross join lateral unnest(w.request_steps, w.request_claim_nos) with ordinality as u (step_uuid, claim_no, position)
     cross join lateral (
       select s.task_uuid, s.step_no, s.state, s.claim_no, s.worker_uuid, s.lease_until
         from tasker.workflow_steps as s
        where s.task_uuid = tasker.task_uuid_of(u.step_uuid)
          and s.step_no = tasker.step_no_of(u.step_uuid)
       offset 0
     ) as s
     where w.worker_uuid = p_worker_uuid
       and w.request_uuid = p_request_uuid
       and s.state = 'in_progress'
       and s.claim_no = u.claim_no
     order by u.position
  );
end;
$$;

comment on function tasker.repeated_claim is
$$If the worker's newest claim had the UUID of this request, returns the starts of the steps of that claim that still run.$$;
