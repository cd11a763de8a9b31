create or replace function tasker.repeated_claim(p_worker_uuid uuid, p_request_uuid uuid)
  returns tasker.step_moves[]
  language plpgsql
  stable
as $$
begin
  return array(
    select (
        null, s.task_uuid, s.step_no, 'enqueued', null, null, 'Start', 'in_progress', null, s.claim_no, null, null,
        s.worker_uuid, s.lease_until, null, null, null, null, null, null, null, null, null, null, null, null, null
      )::tasker.step_moves
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

comment on function tasker.repeated_claim(uuid, uuid) is
$$Returns the starts of the worker's newest claim, if it had this request's UUID, for steps that still run.$$;

revoke all on function tasker.repeated_claim(uuid, uuid) from public;
