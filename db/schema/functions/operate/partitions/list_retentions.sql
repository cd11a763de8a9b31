create or replace function tasker.list_retentions()
  returns setof tasker.retention_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set intervalstyle = 'postgres'
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  return query
  select r.namespace, nullif(r.template, ''), r.keep_for::text, r.set_at, r.set_by
    from tasker.retentions as r
   where v_bound is null or r.namespace = any (v_bound)
   order by r.namespace, r.template;
end;
$$;

comment on function tasker.list_retentions is
$$Returns the namespaces and templates whose tasks are kept longer than the ranges, and for how long. A bound caller
sees only its own namespaces.$$;

grant execute on function tasker.list_retentions to tasker_orchestrator, tasker_operator, tasker_reader;
