create or replace function tasker.list_erasures(
  p_task_uuid  uuid     default null,
  p_namespace  text     default null,
  p_before     uuid     default null,
  p_limit      integer  default 100
)
  returns setof tasker.erasure_details
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
  p_limit := coalesce(p_limit, 100);
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_limit(p_limit, 10000);
  return query
  select
    e.task_uuid, e.namespace, e.root_uuid, e.erased_at, e.erased_by, e.reason, e.steps, e.digest, e.remains,
    not exists (select from tasker.tasks as t where t.task_uuid = e.task_uuid)
  from tasker.erasures as e
  where (p_task_uuid is null or e.task_uuid = p_task_uuid)
    and (p_namespace is null or e.namespace = p_namespace)
    and (v_bound is null or e.namespace = any (v_bound))
    and (p_before is null or e.task_uuid < p_before)
  order by e.task_uuid desc
  limit p_limit;
end;
$$;

comment on function tasker.list_erasures is
$$Returns the tasks whose data was erased, the newest task first. Each row says when, by whom and why the task was
erased, and has the digest of the erased data. With p_task_uuid or p_namespace, returns only this task or the tasks of
this namespace. The row stays when retention drops the task. A bound caller sees only its own namespaces.

For the next page, pass the UUID of the last task as p_before. A page has p_limit rows (default 100, at most 10,000).
Raises TK422 for a limit out of range, and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_erasures to tasker_operator, tasker_reader;
