create or replace function tasker.ended_steps_between(p_since timestamptz, p_until timestamptz, p_settled boolean)
  returns setof tasker.step_totals
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return query
  select
    tasker.partition_suffix_of(c.partition, 'step_log'),
    p_settled,
    c.complete, c.error, c.cancelled, c.resolved, c.retries, c.lost
  from (
    -- Count the paths first, and look up the meaning of each path once for many rows.
    select
      n.partition,
      (coalesce(sum(n.rows) filter (where u.to_state = 'complete'), 0) - coalesce(sum(n.rows) filter (where u.from_state = 'complete'), 0))::bigint as complete,
      (coalesce(sum(n.rows) filter (where u.to_state = 'error'), 0) - coalesce(sum(n.rows) filter (where u.from_state = 'error'), 0))::bigint as error,
      (coalesce(sum(n.rows) filter (where u.to_state = 'cancelled'), 0) - coalesce(sum(n.rows) filter (where u.from_state = 'cancelled'), 0))::bigint as cancelled,
      (coalesce(sum(n.rows) filter (where u.to_state = 'resolved_manually'), 0) - coalesce(sum(n.rows) filter (where u.from_state = 'resolved_manually'), 0))::bigint as resolved,
      coalesce(sum(n.rows) filter (where u.to_state = 'waiting_for_retry'), 0)::bigint as retries,
      coalesce(sum(n.rows) filter (where u.event = 'LeaseExpired'), 0)::bigint as lost
    from (
      select l.tableoid as partition, l.path, count(*) as rows
        from tasker.step_log as l
       where l.created_at >= p_since
         and l.created_at < p_until
       group by 1, 2
    ) as n
    join tasker.step_log_paths as u
      on u.path = n.path
    group by 1
  ) as c;
end;
$$;

comment on function tasker.ended_steps_between is
$$Returns the outcomes of steps in a period, counted by partition, as rows of tasker.step_totals.$$;
