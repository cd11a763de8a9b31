create or replace function tasker.list_workers(p_seen_within interval default null)
  returns setof tasker.worker_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  perform tasker.check_period('time since a worker was seen', p_seen_within);
  return query
  select
    w.worker_uuid,
    w.name::text,
    case when v_bound is null then w.namespaces else tasker.narrowed(w.namespaces, v_bound) end,
    w.registered_at,
    w.last_seen_at,
    w.claimed_count,
    w.login,
    w.role,
    w.version::text
  from tasker.workers as w
  where (p_seen_within is null or w.last_seen_at > tasker.clock() - p_seen_within)
    and (v_bound is null or coalesce(tasker.worker_namespaces(w) && v_bound, true))
  order by w.last_seen_at desc;
end;
$$;

comment on function tasker.list_workers is
$$Returns worker processes, the most recently seen worker first. With p_seen_within, returns only workers that were seen
within this time. A bound caller sees the workers that may serve one of its namespaces. Among the namespaces that such a
worker names, the caller sees only its own.$$;

grant execute on function tasker.list_workers to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
