create or replace function tasker.worker_namespaces(p_worker tasker.workers)
  returns text[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return tasker.narrowed(
    nullif(p_worker.namespaces, '{}'),
    tasker.narrowed(
      p_worker.may_serve,
      tasker.narrowed(tasker.named_role_namespaces(p_worker.login), tasker.named_role_namespaces(p_worker.role))
    )
  );
end;
$$;

comment on function tasker.worker_namespaces is
$$Returns the namespaces that a worker may serve. These are the namespaces that the worker named when it registered, if the worker's session was allowed to work in them then and the worker's login role and set role may work in them now. Null means all namespaces.$$;
