create or replace function tasker.erasure_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select t.task_uuid, null::integer, null::integer, 'tasks', 'says that it was erased, and no erasure is recorded'
    from tasker.tasks as t
   where t.task_uuid >= p_from
     and t.task_uuid < p_to
     and t.erased_at is not null
     and not exists (select from tasker.erasures as e where e.task_uuid = t.task_uuid)
  union all
  select e.task_uuid, null, null, 'tasks',
         case when t.erased_at is null then 'has an erasure, and its data is there' else 'is not as its erasure left it' end
    from tasker.erasures as e
    join tasker.tasks as t
      on t.task_uuid = e.task_uuid
   where e.task_uuid >= p_from
     and e.task_uuid < p_to
     and (t.erased_at is null or e.remains <> tasker.run_digest(e.task_uuid))
  union all
  select e.task_uuid, null, null, 'erasures', 'has an erased task that does not exist, in a partition that does'
    from tasker.erasures as e
    join tasker.partition_ranges as r
      on e.task_uuid >= r.from_uuid
     and e.task_uuid < r.to_uuid
     -- An evacuation drops tasks that have ended.
     and r.evacuations = 0
   where e.task_uuid >= p_from
     and e.task_uuid < p_to
     and not exists (select from tasker.tasks as t where t.task_uuid = e.task_uuid);
end;
$$;

comment on function tasker.erasure_problems is
$$Finds tasks between two UUIDs that were emptied without an erasure, erasures of tasks that still have their data, and
tasks that were changed after their erasure.$$;
