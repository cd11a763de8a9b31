create or replace function tasker.count_ended_work(p_counts tasker.system_health_counts)
  returns tasker.system_health_counts
  language plpgsql
  stable
as $$
declare
  v_fresh  timestamptz := tasker.fresh_since();
  v_counts tasker.system_health_counts := p_counts;
begin
  select
    coalesce(sum(o.completed), 0),
    coalesce(sum(o.failed - o.reset), 0),
    coalesce(sum(o.cancelled), 0),
    coalesce(sum(o.resolved), 0)
  into v_counts.complete_tasks, v_counts.error_tasks, v_counts.cancelled_tasks, v_counts.resolved_manually_tasks
  from tasker.task_totals_until_now(v_fresh) as o
  join tasker.partition_ranges as r
    on r.suffix = o.partition_suffix;
  v_counts.total_tasks := v_counts.total_tasks + v_counts.complete_tasks + v_counts.error_tasks + v_counts.cancelled_tasks
    + v_counts.resolved_manually_tasks;

  select
    coalesce(sum(o.complete) filter (where r.suffix is not null), 0),
    coalesce(sum(o.error) filter (where r.suffix is not null), 0),
    coalesce(sum(o.cancelled) filter (where r.suffix is not null), 0),
    coalesce(sum(o.resolved) filter (where r.suffix is not null), 0),
    coalesce(sum(o.retries), 0),
    coalesce(sum(o.lost), 0)
  into
    v_counts.complete_steps, v_counts.error_steps, v_counts.cancelled_steps, v_counts.resolved_manually_steps,
    v_counts.retries_total, v_counts.lost_leases_total
  from tasker.step_totals_until_now(v_fresh) as o
  left join tasker.partition_ranges as r
    on r.suffix = o.partition_suffix;
  v_counts.total_steps := v_counts.total_steps + v_counts.complete_steps + v_counts.error_steps + v_counts.cancelled_steps
    + v_counts.resolved_manually_steps;
  return v_counts;
end;
$$;

comment on function tasker.count_ended_work is
$$Returns p_counts with the numbers of ended tasks and steps, which it also adds to the totals in p_counts. The numbers
come from the totals that maintenance keeps and from the logs since then.$$;
