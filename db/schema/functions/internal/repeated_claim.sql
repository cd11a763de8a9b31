create or replace function tasker.repeated_claim(p_worker_uuid uuid, p_request_uuid uuid)
  returns tasker.workflow_steps[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_worker tasker.workers;
begin
  select w.*
    into v_worker
    from tasker.workers as w
   where w.worker_uuid = p_worker_uuid
     and w.request_uuid = p_request_uuid;
  if not found then
    return null;
  end if;

  return array(
    select s
      from unnest(v_worker.request_steps, v_worker.request_claim_nos) with ordinality as u (step_uuid, claim_no, position)
     cross join lateral (
       select s.*
         from tasker.workflow_steps as s
        where s.task_uuid = tasker.task_uuid_of(u.step_uuid)
          and s.step_no = tasker.step_no_of(u.step_uuid)
       offset 0
     ) as s
     where s.state = 'in_progress'
       and s.claim_no = u.claim_no
     order by u.position
  );
end;
$$;

comment on function tasker.repeated_claim(uuid, uuid) is
$$What the worker's newest claim handed out, if it had this request's UUID and as far as it still runs; null if it is a new request.$$;

revoke all on function tasker.repeated_claim(uuid, uuid) from public;
