create or replace function tasker.note_worker(
  p_worker_uuid   uuid,
  p_request_uuid  uuid,
  p_steps         tasker.workflow_steps[]
)
  returns void
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
  v_now       timestamptz := tasker.clock();
  v_request   uuid;
  v_uuids     uuid[];
  v_claim_nos integer[];
begin
  if p_request_uuid is not null and cardinality(p_steps) > 0 then
    v_request := p_request_uuid;
    select array_agg(s.workflow_step_uuid), array_agg(s.claim_no)
      into v_uuids, v_claim_nos
      from unnest(p_steps) as s;
  end if;

  -- A claim that found nothing writes nothing, unless the worker has not been seen for a while: nothing is
  -- lost with its reply, and a commit that has written waits for the disk.
  update tasker.workers as w
     set last_seen_at      = v_now,
         claimed_count     = w.claimed_count + cardinality(p_steps),
         request_uuid      = v_request,
         request_steps     = v_uuids,
         request_claim_nos = v_claim_nos
   where w.worker_uuid = p_worker_uuid
     and (cardinality(p_steps) > 0 or w.last_seen_at < v_now - interval '10 seconds');
  if found then
    return;
  end if;

  insert into tasker.workers (worker_uuid, name, claimed_count, request_uuid, request_steps, request_claim_nos)
  values (p_worker_uuid, p_worker_uuid::text, cardinality(p_steps), v_request, v_uuids, v_claim_nos)
  on conflict (worker_uuid) do nothing;
end;
$$;

comment on function tasker.note_worker(uuid, uuid, tasker.workflow_steps[]) is
$$Remembers at a worker that it lives and what it has just claimed; one that has not registered is entered under its UUID for a name. The last lock of a claim.$$;

revoke all on function tasker.note_worker(uuid, uuid, tasker.workflow_steps[]) from public;
