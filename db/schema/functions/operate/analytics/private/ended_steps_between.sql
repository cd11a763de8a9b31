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
    tasker.partition_suffix_of(c.partition, 'workflow_step_transition_log'),
    p_settled,
    c.complete, c.error, c.cancelled, c.resolved, c.retries, c.lost
  from (
    select
      l.tableoid as partition,
      count(*) filter (where l.to_state = 'complete') as complete,
      count(*) filter (where l.to_state = 'error') - count(*) filter (where l.from_state = 'error') as error,
      count(*) filter (where l.to_state = 'cancelled') as cancelled,
      count(*) filter (where l.to_state = 'resolved_manually') as resolved,
      count(*) filter (where l.to_state = 'waiting_for_retry') as retries,
      count(*) filter (where l.event = 'LeaseExpired') as lost
    from tasker.workflow_step_transition_log as l
    where l.created_at >= p_since
      and l.created_at < p_until
    group by 1
  ) as c;
end;
$$;

comment on function tasker.ended_steps_between is
$$Returns the outcomes of steps in a period, by partition, as rows of tasker.step_totals.$$;
