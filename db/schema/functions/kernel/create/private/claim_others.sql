create or replace function tasker.claim_others(
  p_hashes      bytea[],
  p_task_uuids  uuid[],
  p_others      uuid[],
  p_expires_at  timestamptz,
  p_while_open  boolean
)
  returns uuid[]
  language plpgsql
as $$
declare
  v_hashes bytea[];
  v_uuids  uuid[];
  v_owners uuid[];
begin
  select coalesce(array_agg(u.hash order by u.ord), '{}'), coalesce(array_agg(u.task_uuid order by u.ord), '{}')
    into v_hashes, v_uuids
    from unnest(p_hashes, p_task_uuids, p_others) with ordinality as u (hash, task_uuid, other, ord)
   where u.other is null;
  v_owners := case when v_hashes[1] is null then v_uuids else tasker.claim_identities(v_hashes, v_uuids, p_expires_at, p_while_open) end;
  return array(
    select coalesce(u.other, v_owners[array_position(v_uuids, u.task_uuid)])
      from unnest(p_task_uuids, p_others) with ordinality as u (task_uuid, other, ord)
     order by u.ord
  );
end;
$$;

comment on function tasker.claim_others is
$$Returns the task of each request. p_others has existing tasks that are returned for some of the requests. All other requests claim their identities (tasker.claim_identities). Requests without identities get new tasks.$$;
