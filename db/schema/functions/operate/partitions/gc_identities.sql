create or replace function tasker.gc_identities(p_limit integer default 5000)
  returns integer
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_limit   integer := coalesce(p_limit, 5000);
  v_hashes  bytea[];
  v_deleted integer;
  v_range   tasker.partition_ranges;
  v_seen    bytea[];
  v_tasks   uuid[];
  v_left    integer;
begin
  perform tasker.check_limit(v_limit, 100000);
  -- Find the identities between the existing ranges and before the first range. Retention dropped the tasks of these
  -- identities with their range. Skip locked identities, which another transaction is taking over.
  v_hashes := array(
    select l.identity_hash
      from (
        select
          coalesce(lag(r.to_uuid) over (order by r.from_uuid), '00000000-0000-0000-0000-000000000000') as from_uuid,
          r.from_uuid as to_uuid
        from tasker.partition_ranges as r
      ) as gap
     cross join lateral (
       select i.identity_hash
         from tasker.task_identities as i
        where i.task_uuid >= gap.from_uuid
          and i.task_uuid < gap.to_uuid
        order by i.task_uuid
        limit v_limit
          for update skip locked
     ) as l
     where gap.from_uuid < gap.to_uuid
     limit v_limit
  );

  -- In an evacuated range, read each identity only once, because such a range may have very many tasks.
  v_left := v_limit - cardinality(v_hashes);
  select r.* into v_range
    from tasker.partition_ranges as r
   where r.evacuations > 0
     and r.collected is distinct from r.to_uuid
   order by r.starts_at
   limit 1;
  if found and v_left > 0 then
    select array_agg(l.identity_hash), array_agg(l.task_uuid)
      into v_seen, v_tasks
      from (
        select i.identity_hash, i.task_uuid
          from tasker.task_identities as i
         where i.task_uuid > coalesce(v_range.collected, v_range.from_uuid)
           and i.task_uuid < v_range.to_uuid
         order by i.task_uuid
         limit v_left
           for update skip locked
      ) as l;
    v_hashes := v_hashes || array(
      select l.identity_hash
        from unnest(v_seen, v_tasks) as l (identity_hash, task_uuid)
       where not exists (select from tasker.tasks as t where t.task_uuid = l.task_uuid)
    );
    update tasker.partition_ranges as r
       set collected = case when cardinality(v_tasks) = v_left then v_tasks[v_left] else r.to_uuid end
     where r.starts_at = v_range.starts_at;
  end if;

  delete from tasker.task_identities as i
   where i.identity_hash = any (v_hashes);
  get diagnostics v_deleted = row_count;
  return v_deleted;
end;
$$;

comment on function tasker.gc_identities is
$$Deletes at most p_limit identities (default 5,000) whose tasks retention has dropped, and returns how many it deleted.
An identity that has expired stays until its task is dropped, so that an audit finds the identity of each task. Call
this function until it returns 0.

Idempotent. Deletes only rows that are no longer needed, because an expired identity is free for a new task at once.
Locks identities without waiting, and skips identities that another transaction is creating or taking over. Raises TK422
for a limit below 1 or above 100000.$$;

grant execute on function tasker.gc_identities to tasker_orchestrator, tasker_operator;
