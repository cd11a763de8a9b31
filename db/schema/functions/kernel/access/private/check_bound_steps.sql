create or replace function tasker.check_bound_steps(p_uuids uuid[])
  returns void
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
begin
  -- Few roles are bound, so most calls need not read the steps.
  if not (tasker.is_scoped() or exists (select from tasker.role_bindings)) or tasker.bound_namespaces() is null then
    return;
  end if;

  perform tasker.check_bound_namespaces(array_agg(distinct n.name))
     from unnest(p_uuids) as u (uuid)
     join tasker.tasks as t
       on t.task_uuid = tasker.task_uuid_of(u.uuid)
     join tasker.named_tasks as k
       on k.named_task_uuid = t.named_task_uuid
     join tasker.task_namespaces as n
       on n.task_namespace_uuid = k.task_namespace_uuid;
end;
$$;

comment on function tasker.check_bound_steps is
$$Raises TK403 if the caller is not bound to the namespaces of all these steps or tasks. Skips steps and tasks that do not exist.$$;
