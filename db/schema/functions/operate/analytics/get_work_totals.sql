create or replace function tasker.get_work_totals(p_rolled_up boolean default false)
  returns setof tasker.work_totals
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set jit = off
as $$
declare
  v_bound text[]      := tasker.bound_namespaces();
  v_fresh timestamptz := case when p_rolled_up is not true then tasker.fresh_since() end;
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
    from tasker.task_totals_until_now(v_fresh) as o
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
         and v_fresh is null
      union all
      select f.named_task_uuid, f.results, f.failures, f.duration_ms
        from tasker.count_steps_since(v_fresh) as f
       where v_fresh is not null
    ) as u
    group by u.named_task_uuid
  ) as r
    on r.named_task_uuid = k.named_task_uuid
  where v_bound is null or n.name = any (v_bound)
  group by n.name
  order by n.name;
end;
$$;

comment on function tasker.get_work_totals is
$$Returns the totals of each namespace since its creation: started and ended tasks, results, failures, and execution
time. Dropping old partitions does not lower the totals.

Reads the totals that maintenance keeps, and the logs since the last rollup. If the logs have more than 20,000 new rows,
the function does not read them, and the numbers are as of rolled_up_until. With p_rolled_up the function never reads
logs. Then the numbers never fall, as the counters of a monitoring system must not. A bound caller sees only its own
namespaces.$$;

grant execute on function tasker.get_work_totals to tasker_orchestrator, tasker_operator, tasker_reader;
