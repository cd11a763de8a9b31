create or replace function tasker.get_readiness()
  returns setof tasker.readiness
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set jit = off
as $$
begin
  return query
  with open as materialized (
    select i.kind, i.severity, i.what, i.ordinality as no
      from tasker.list_incidents() with ordinality as i
  )
  select
    (
      select min(o.what)
        from open as o
       where o.kind in ('partitions', 'orchestrator')
         and o.severity = 'act_now'
    ),
    coalesce((select o.severity from open as o where o.severity <> 'information' order by o.no limit 1), 'well'),
    array(
      select o.kind
        from open as o
       where o.severity <> 'information'
       group by o.kind
       order by min(o.no)
    );
end;
$$;

comment on function tasker.get_readiness is
$$Returns one row for the readiness probe of a server. The row says why no server can do its work (partitions or
orchestrators are missing), and which kinds of incidents are open (tasker.list_incidents). An incident of an application
does not make a server unready, because another server would have the same incident.

The row names no namespace, handler or error, because probes have no token.$$;

grant execute on function tasker.get_readiness to tasker_server, tasker_orchestrator, tasker_operator, tasker_reader;
