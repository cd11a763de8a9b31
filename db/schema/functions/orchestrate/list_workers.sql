create or replace function tasker.list_workers(p_seen_within interval default null)
  returns setof tasker.worker_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select
    w.worker_uuid,
    w.name,
    w.namespaces,
    w.registered_at,
    w.last_seen_at,
    w.claimed_count
  from tasker.workers as w
  where p_seen_within is null
     or w.last_seen_at > tasker.clock() - p_seen_within
  order by w.last_seen_at desc;
end;
$$;

comment on function tasker.list_workers(interval) is
$$Worker processes, the one seen last first: all that are known, or those seen within so long.$$;

revoke all on function tasker.list_workers(interval) from public;
grant execute on function tasker.list_workers(interval) to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
