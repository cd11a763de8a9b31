create or replace function tasker.get_dlq_investigation_queue(p_limit integer default null)
  returns setof tasker.dlq_investigations
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_page_size(p_limit);
  return query
  select q.*
    from tasker.v_dlq_investigation_queue as q
   order by q.priority_score desc, q.dlq_entry_uuid
   limit coalesce(p_limit, 100);
end;
$$;

comment on function tasker.get_dlq_investigation_queue is
$$Returns the rows of v_dlq_investigation_queue, the most urgent first: up to p_limit (default 100, at most 10,000). Raises TK422 for a limit out of bounds. A bound caller sees its namespaces only.$$;

grant execute on function tasker.get_dlq_investigation_queue
  to tasker_orchestrator, tasker_operator, tasker_reader;
