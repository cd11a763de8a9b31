create or replace function tasker.note_worker(
  p_worker_uuid   uuid,
  p_request_uuid  uuid,
  p_seen_at       timestamptz,
  p_moves         tasker.step_moves[],
  p_begun         integer,
  p_waiting       uuid[]
)
  returns boolean
  language plpgsql
as $$
declare
  v_now       timestamptz := tasker.write_clock();
  v_request   uuid;
  v_uuids     uuid[];
  v_claim_nos integer[];
  v_begun     integer := case when p_begun < cardinality(p_moves) then p_begun end;
begin
  -- A claim that found no step writes nothing, unless the worker was not seen for a while. Its reply need not be
  -- repeatable, and a commit with writes waits for the disk.
  if cardinality(p_moves) = 0 and p_seen_at >= v_now - interval '10 seconds' then
    return false;
  end if;

  if cardinality(p_moves) > 0 and (p_request_uuid is not null or v_begun is not null) then
    v_request := p_request_uuid;
    if cardinality(p_moves) = 1 then
      v_uuids := array[tasker.step_uuid(p_moves[1].task_uuid, p_moves[1].step_no)];
      v_claim_nos := array[p_moves[1].claim_no];
    else
      select array_agg(tasker.step_uuid(m.task_uuid, m.step_no)), array_agg(m.claim_no)
        into v_uuids, v_claim_nos
        from unnest(p_moves) as m;
    end if;
  end if;

  update tasker.workers as w
     set last_seen_at      = v_now,
         claimed_count     = w.claimed_count + cardinality(p_moves),
         request_uuid      = v_request,
         request_steps     = v_uuids,
         request_claim_nos = v_claim_nos,
         request_begun     = v_begun,
         waiting_steps     = p_waiting
   where w.worker_uuid = p_worker_uuid;
  if found then
    return true;
  end if;

  -- An unknown worker that has found no step gets no row, because a client can make up any number of UUIDs.
  if cardinality(p_moves) = 0 then
    return false;
  end if;
  insert into tasker.workers (
    worker_uuid, name, role, may_serve, claimed_count, request_uuid, request_steps, request_claim_nos, request_begun
  )
  values (
    p_worker_uuid, p_worker_uuid::text, tasker.set_role(), tasker.bound_namespaces(), cardinality(p_moves), v_request, v_uuids,
    v_claim_nos, v_begun
  )
  on conflict (worker_uuid) do nothing;
  return true;
end;
$$;

comment on function tasker.note_worker is
$$Records a worker's heartbeat and its newest claim. p_seen_at is the time when the worker was last seen, or null if the record must be written. The worker begins the first p_begun of the claimed steps at once. All other claimed steps, and the steps p_waiting, wait for a handler. An unregistered worker is inserted with its first step, with its UUID as name. Returns whether it wrote the record. The lock on this record is the last lock of a claim.$$;
