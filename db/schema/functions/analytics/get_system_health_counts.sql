create or replace function tasker.get_system_health_counts()
  returns setof tasker.system_health_counts
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_fresh timestamptz := tasker.fresh_since();
  v_bound text[] := tasker.bound_namespaces();
begin
  if v_bound is not null then
    return query select c.* from tasker.bound_health_counts(v_bound) as c;
    return;
  end if;

  return query
  with open_tasks as (
    select
      coalesce(sum(o.tasks) filter (where o.state = 'pending'), 0)::bigint as pending,
      coalesce(sum(o.tasks) filter (where o.state = 'initializing'), 0)::bigint as initializing,
      coalesce(sum(o.tasks) filter (where o.state = 'enqueuing_steps'), 0)::bigint as enqueuing_steps,
      coalesce(sum(o.tasks) filter (where o.state = 'steps_in_process'), 0)::bigint as steps_in_process,
      coalesce(sum(o.tasks) filter (where o.state = 'evaluating_results'), 0)::bigint as evaluating_results,
      coalesce(sum(o.tasks) filter (where o.state = 'waiting_for_dependencies'), 0)::bigint as waiting_for_dependencies,
      coalesce(sum(o.tasks) filter (where o.state = 'waiting_for_retry'), 0)::bigint as waiting_for_retry,
      coalesce(sum(o.tasks) filter (where o.state = 'blocked_by_failures'), 0)::bigint as blocked_by_failures,
      coalesce(sum(o.tasks), 0)::bigint as tasks,
      coalesce(sum(o.open_steps - o.active_steps - o.retrying_steps - o.suspended_steps), 0)::bigint as pending_steps,
      coalesce(sum(o.retrying_steps), 0)::bigint as retrying_steps,
      coalesce(sum(o.suspended_steps), 0)::bigint as suspended_steps
    from tasker.count_open_tasks() as o
  ),
  queued as (
    select
      count(*) filter (where q.lane not in ('running', 'results')) as ready,
      count(*) filter (where q.lane = 'running') as running,
      count(*) filter (where q.lane = 'results') as results
    from tasker.step_queue as q
  ),
  failures as (
    -- Query only if results wait for an orchestrator.
    select count(*) as steps
      from tasker.step_queue as q
      join tasker.workflow_steps as s
        on s.task_uuid = q.task_uuid
       and s.step_no = q.step_no
     where q.lane = 'results'
       and s.state = 'enqueued_as_error_for_orchestration'
  ),
  untaken as (
    select count(*) filter (where not t.complete) as kept, count(*) filter (where t.complete) as unused
      from (
        select g.task_uuid
          from tasker.task_signals as g
         where g.step_no is null
         order by g.task_uuid desc
         limit 10000
      ) as g
     cross join lateral (
       select t.complete
         from tasker.tasks as t
        where t.task_uuid = g.task_uuid
       offset 0
     ) as t
  ),
  ended_tasks as (
    select
      coalesce(sum(o.completed), 0)::bigint as complete,
      coalesce(sum(o.failed - o.reset), 0)::bigint as error,
      coalesce(sum(o.cancelled), 0)::bigint as cancelled,
      coalesce(sum(o.resolved), 0)::bigint as resolved
    from tasker.task_totals_until_now(v_fresh) as o
    join tasker.partition_ranges as r
      on r.suffix = o.partition_suffix
  ),
  ended_steps as (
    select
      coalesce(sum(o.complete) filter (where r.suffix is not null), 0)::bigint as complete,
      coalesce(sum(o.error) filter (where r.suffix is not null), 0)::bigint as error,
      coalesce(sum(o.cancelled) filter (where r.suffix is not null), 0)::bigint as cancelled,
      coalesce(sum(o.resolved) filter (where r.suffix is not null), 0)::bigint as resolved,
      coalesce(sum(o.retries), 0)::bigint as retries,
      coalesce(sum(o.lost), 0)::bigint as lost
    from tasker.step_totals_until_now(v_fresh) as o
    left join tasker.partition_ranges as r
      on r.suffix = o.partition_suffix
  )
  select
    o.pending, o.initializing, o.enqueuing_steps, o.steps_in_process, o.evaluating_results,
    o.waiting_for_dependencies, o.waiting_for_retry, o.blocked_by_failures,
    e.complete, e.error, e.cancelled, e.resolved,
    o.tasks + e.complete + e.error + e.cancelled + e.resolved,
    o.pending_steps, q.ready, q.running, q.results - f.steps, f.steps, o.retrying_steps,
    o.suspended_steps,
    s.complete, s.error, s.cancelled, s.resolved,
    o.pending_steps + q.ready + q.running + q.results + o.retrying_steps + o.suspended_steps
      + s.complete + s.error + s.cancelled + s.resolved,
    (select coalesce(sum(d.numbackends), 0)::bigint from pg_stat_database as d),
    current_setting('max_connections')::bigint,
    (select count(*) from tasker.waiting_tasks),
    coalesce((
      select extract(epoch from tasker.clock() - min(w.waiting_since)) from tasker.waiting_tasks as w
    ), 0)::double precision,
    (select count(*) from tasker.tasks_dlq as d where d.resolution_status = 'pending'),
    u.kept,
    u.unused,
    s.retries,
    s.lost,
    (select max(r.ends_at) from tasker.partition_ranges as r),
    coalesce(extract(epoch from clock_timestamp() - tasker.oldest_transaction()), 0)::double precision,
    (select nullif(r.rolled_up_until, '-infinity') from tasker.rollup_state as r),
    pg_is_in_recovery(),
    tasker.standby_lag(),
    tasker.count_diverged_steps(null)
  from open_tasks as o
  cross join queued as q
  cross join failures as f
  cross join untaken as u
  cross join ended_tasks as e
  cross join ended_steps as s;
end;
$$;

comment on function tasker.get_system_health_counts() is
$$Returns one row with the number of tasks in each of the 12 states and of steps in each of the 11, connections in use and allowed, tasks that wait for an orchestrator, open investigations, signals that no step has taken, and how far partitions reach. A bound caller sees its namespaces only.

Open work is counted now: tasks through their partial index, steps by the tasks' counters and by the queue. Finished work comes from the totals that maintenance keeps, and from the logs since then. If those are more than 20,000 rows it reads no logs, and the totals are as of rolled_up_until.$$;

revoke all on function tasker.get_system_health_counts() from public;
grant execute on function tasker.get_system_health_counts()
  to tasker_orchestrator, tasker_operator, tasker_reader;
