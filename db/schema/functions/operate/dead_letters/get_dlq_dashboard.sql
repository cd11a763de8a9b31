create or replace function tasker.get_dlq_dashboard()
  returns setof tasker.dlq_reasons
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query select d.* from tasker.v_dlq_dashboard as d order by d.dlq_reason;
end;
$$;

comment on function tasker.get_dlq_dashboard is
$$Returns the rows of v_dlq_dashboard: the dead-letter queue by reason. A bound caller sees its namespaces only.$$;

grant execute on function tasker.get_dlq_dashboard to tasker_orchestrator, tasker_operator, tasker_reader;
