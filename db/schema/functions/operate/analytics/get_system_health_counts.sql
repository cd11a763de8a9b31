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
  v_bound  text[] := tasker.bound_namespaces();
  v_counts tasker.system_health_counts;
begin
  if v_bound is not null then
    return query select c.* from tasker.bound_health_counts(v_bound) as c;
    return;
  end if;

  v_counts := tasker.count_open_work(v_counts);
  v_counts := tasker.count_ended_work(v_counts);
  v_counts := tasker.describe_server(null, v_counts);
  select count(*), coalesce(extract(epoch from tasker.clock() - min(w.since)), 0)
    into v_counts.waiting_tasks, v_counts.oldest_waiting_seconds
    from (
      select w.waiting_since as since from tasker.waiting_tasks as w
      union all
      select m.due_at from tasker.timers as m where m.kind = 'advance_task' and m.due_at <= tasker.clock()
    ) as w;
  v_counts.pending_dlq_entries := (select count(*) from tasker.tasks_dlq as d where d.resolution_status = 'pending');
  v_counts.failing_timers := tasker.count_failing_timers(null);
  v_counts.ending_tokens := (select count(*) from tasker.ending_tokens());
  v_counts.rolled_up_until := (select nullif(r.rolled_up_until, '-infinity') from tasker.rollup_state as r);
  select count(*) filter (where not t.complete), count(*) filter (where t.complete)
    into v_counts.kept_signals, v_counts.unused_signals
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
   ) as t;
  return next v_counts;
end;
$$;

comment on function tasker.get_system_health_counts is
$$Returns one row with the number of tasks in each of the 12 states of a task and the number of steps in each of the 11
states of a step. The row also counts connections in use and allowed, tasks that wait for an orchestrator, open
investigations, and signals that no step has taken, and says how far partitions reach. A bound caller sees only its own
namespaces.

Counts open tasks through their partial index, and open steps from the tasks' counters and the queue. Takes finished
work from the totals that maintenance keeps, and from the logs since then. If the logs have more than 20,000 new rows,
the function does not read them, and the totals are as of rolled_up_until.$$;

grant execute on function tasker.get_system_health_counts
  to tasker_orchestrator, tasker_operator, tasker_reader;
