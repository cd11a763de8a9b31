create or replace function tasker.accept_task_uuids(p_task_uuids uuid[], p_count integer)
  returns uuid[]
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
  v_minted uuid[];
begin
  if p_count = 0 then
    return '{}';
  end if;
  v_minted := tasker.mint_task_uuids(p_count);
  if p_task_uuids is null then
    return v_minted;
  end if;

  -- A repeat may come long after the time in its UUID: one that a task has is not judged again.
  return (
    select array_agg(
        case
          when u.task_uuid is null then v_minted[u.ord]
          when exists (select from tasker.tasks as t where t.task_uuid = u.task_uuid) then u.task_uuid
          else tasker.check_task_uuid(u.task_uuid)
        end
        order by u.ord
      )
      from unnest(p_task_uuids) with ordinality as u (task_uuid, ord)
  );
end;
$$;

comment on function tasker.accept_task_uuids(uuid[], integer) is
$$UUIDs for so many requested tasks: the callers' own where they may be used, new ones where they are null. Raises TK422 and TK507 as check_task_uuid does.$$;

revoke all on function tasker.accept_task_uuids(uuid[], integer) from public;
