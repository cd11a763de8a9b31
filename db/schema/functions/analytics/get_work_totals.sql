create or replace function tasker.get_work_totals()
  returns setof tasker.work_totals
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set jit = off
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  return query
  select
    n.name,
    coalesce(sum(t.started), 0)::bigint,
    coalesce(sum(t.completed), 0)::bigint,
    coalesce(sum(t.failed), 0)::bigint,
    coalesce(sum(t.cancelled), 0)::bigint,
    coalesce(sum(t.resolved), 0)::bigint,
    coalesce(sum(t.reset), 0)::bigint,
    coalesce(sum(r.results), 0)::bigint,
    coalesce(sum(r.failures), 0)::bigint,
    (coalesce(sum(r.duration_ms), 0) / 1000)::double precision
  from tasker.task_namespaces as n
  left join tasker.named_tasks as k
    on k.task_namespace_uuid = n.task_namespace_uuid
  left join (
    select
      o.named_task_uuid,
      sum(o.started) as started,
      sum(o.completed) as completed,
      sum(o.failed) as failed,
      sum(o.cancelled) as cancelled,
      sum(o.resolved) as resolved,
      sum(o.reset) as reset
    from tasker.task_totals as o
    group by o.named_task_uuid
  ) as t
    on t.named_task_uuid = k.named_task_uuid
  left join (
    select
      u.named_task_uuid,
      sum(u.results) as results,
      sum(u.failures) as failures,
      sum(u.duration_ms) as duration_ms
    from (
      select o.named_task_uuid, o.results, o.failures, o.duration_ms
        from tasker.result_totals as o
      union all
      select m.named_task_uuid, m.results, m.failures, m.duration_ms
        from tasker.step_rollups as m
       where m.bucket >= (select s.settled_until from tasker.rollup_state as s)
    ) as u
    group by u.named_task_uuid
  ) as r
    on r.named_task_uuid = k.named_task_uuid
  where v_bound is null or n.name = any (v_bound)
  group by n.name
  order by n.name;
end;
$$;

comment on function tasker.get_work_totals() is
$$Returns the totals of each namespace since its beginning, as of the last rollup: tasks started and ended, results, failures, execution time. Suitable for counters: the numbers only grow, even when retention drops partitions. A bound caller sees its namespaces only.$$;

revoke all on function tasker.get_work_totals() from public;
grant execute on function tasker.get_work_totals() to tasker_orchestrator, tasker_operator, tasker_reader;
