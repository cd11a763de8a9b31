create or replace function tasker.list_diverged_templates(p_namespaces text[] default null)
  returns setof tasker.diverged_templates
  language plpgsql
  stable
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
  v_bound text[] := tasker.bound_namespaces();
begin
  perform tasker.check_bound_namespaces(p_namespaces);
  return query
  select w.namespace, k.name, k.version, tasker.types_digest(k.types), w.steps, w.step_uuid
    from (
      -- Read by namespace, so that the query can use the index on signals.
      select n.name as namespace, w.named_task_uuid, count(*) as steps,
        (array_agg(tasker.step_uuid(w.task_uuid, w.step_no) order by w.place))[1] as step_uuid
        from tasker.task_namespaces as n
       cross join lateral (
         select w.named_task_uuid, w.task_uuid, w.step_no, row_number() over (order by w.waiting_since, w.task_uuid, w.step_no) as place
           from tasker.waits as w
          where w.namespace = n.name
            and w.signal = '$diverged'
          order by w.waiting_since, w.task_uuid, w.step_no
          limit 10000
       ) as w
       where (p_namespaces is null or n.name = any (p_namespaces))
         and (v_bound is null or n.name = any (v_bound))
       group by n.name, w.named_task_uuid
    ) as w
    join tasker.named_tasks as k
      on k.named_task_uuid = w.named_task_uuid
   order by w.steps desc, w.namespace, k.name, k.version
   limit 100;
end;
$$;

comment on function tasker.list_diverged_templates is
$$Returns the versions of templates that have diverged steps. Such a step waits because the program that ran it makes
other calls, or takes other types, than the program that ran it before. Each row has the digest of the types that
programs registered for the version, and one of its steps. A usual cause is that two programs run under one version.
"tasker template check" compares the types of a file.

Reads at most 10,000 of these waits in each namespace, the longest wait first. Returns at most 100 versions. If
p_namespaces is null, reads all namespaces. Raises TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_diverged_templates to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
