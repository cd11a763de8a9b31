create or replace function tasker.claim_identities(p_hashes bytea[], p_task_uuids uuid[], p_expires_at timestamptz, p_while_open boolean)
  returns uuid[]
  language plpgsql
as $$
declare
  v_hashes  bytea[];
  v_stale   uuid[];
  v_resets  integer[];
  v_owners  uuid[];
  v_new     integer;
begin
  loop
    -- Insert in the order of the hashes, so that two batches cannot deadlock. If another transaction inserts the same
    -- identity, the call waits until that transaction commits or rolls back.
    insert into tasker.task_identities (identity_hash, task_uuid, expires_at, while_open)
    select distinct on (u.identity_hash)
      u.identity_hash,
      u.task_uuid,
      p_expires_at,
      p_while_open
    from unnest(p_hashes, p_task_uuids) with ordinality as u (identity_hash, task_uuid, ord)
    order by u.identity_hash, u.ord
    on conflict (identity_hash) do nothing;
    get diagnostics v_new = row_count;
    if v_new = cardinality(p_hashes) then
      return p_task_uuids;
    end if;

    -- Find identities that have expired, whose task no longer exists or, if requested, whose task has ended. This is a
    -- separate statement, because the statement above does not see the rows that it waited for. The candidates of this
    -- call have no task yet.
    select array_agg(i.identity_hash order by i.identity_hash),
           array_agg(i.task_uuid order by i.identity_hash),
           array_agg(i.resets order by i.identity_hash)
      into v_hashes, v_stale, v_resets
      from (select distinct u.identity_hash from unnest(p_hashes) as u (identity_hash)) as d
      join tasker.task_identities as i
        on i.identity_hash = d.identity_hash
     where i.task_uuid <> all (p_task_uuids)
       and (
         i.expires_at <= tasker.clock()
         or not exists (select from tasker.tasks as t where t.task_uuid = i.task_uuid and not (p_while_open and t.complete))
       );

    -- Compare and swap, so that only one of two transactions takes over a stale identity, and no transaction takes over
    -- the identity of a task that is reset in the meantime.
    update tasker.task_identities as i
       set task_uuid  = p_task_uuids[array_position(p_hashes, i.identity_hash)],
           created_at = tasker.clock(),
           expires_at = p_expires_at,
           while_open = p_while_open
      from unnest(v_hashes, v_stale, v_resets) as s (identity_hash, task_uuid, resets)
     where i.identity_hash = s.identity_hash
       and i.task_uuid = s.task_uuid
       and i.resets = s.resets;

    select array_agg(i.task_uuid order by u.ord)
      into v_owners
      from unnest(p_hashes) with ordinality as u (identity_hash, ord)
      left join tasker.task_identities as i
        on i.identity_hash = u.identity_hash;
    if array_position(v_owners, null) is null then
      return v_owners;
    end if;
  end loop;
end;
$$;

comment on function tasker.claim_identities is
$$Returns the task of each identity. It is the caller's candidate if the identity was free or has expired, or if its task no longer exists or (with p_while_open) has ended. Otherwise it is the existing task. Among equal identities of one call the first candidate wins.

Locks the identities, in the order of their hashes.$$;
