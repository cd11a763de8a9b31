create or replace function tasker.next_due_at(
  p_namespaces    text[]   default null,
  p_orchestrator  boolean  default false,
  p_later         boolean  default false
)
  returns timestamptz
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
  v_now        timestamptz   := tasker.clock();
  v_bloated    boolean       := tasker.queue_is_bloated() and not p_later;
  v_namespaces text[]        := tasker.claimable_namespaces(p_namespaces);
  v_marks      timestamptz[] := '{}';
  v_timer      timestamptz;
  v_lease      timestamptz;
  v_ready      timestamptz;
begin
  if v_bloated then
    v_marks := tasker.due_marks(v_namespaces, p_orchestrator, v_now);
  end if;

  select min(m.due_at)
    into v_timer
    from tasker.timers as m
   where m.due_at >= coalesce(v_marks[2], case when p_later then v_now else '-infinity' end)
     and (m.due_at > v_now or not p_later);
  if v_marks = '{}' then
    select
      min(g.visible_at) filter (where g.lane = 'running'),
      min(g.visible_at) filter (
        where not p_orchestrator and g.lane in ('high', 'normal', 'low') and g.namespace <> all (tasker.brokered_namespaces())
          and not exists (
            select
              from tasker.handler_pauses as p
             where p.namespace = g.namespace
               and p.named_step_uuid = g.named_step_uuid
          )
      )
      into v_lease, v_ready
      from tasker.queue_groups(v_namespaces) as g;
  else
    v_lease := tasker.first_visible_at(v_namespaces, true, v_marks[3]);
    if not p_orchestrator then
      v_ready := tasker.first_visible_at(array(
        select u.name
          from unnest(v_namespaces) as u (name)
         where u.name <> all (tasker.brokered_namespaces())
      ), false, v_marks[4]);
    end if;
  end if;
  if v_bloated then
    perform tasker.keep_due_marks(v_namespaces, p_orchestrator, v_now, v_marks[1], v_timer, v_lease, v_ready);
  end if;

  if p_later then
    return least(
      v_timer,
      case when p_orchestrator then (select min(w.discovered_until) from tasker.waiting_tasks as w where w.discovered_until > v_now) end,
      case when v_lease > v_now then v_lease end,
      case when v_ready > v_now then v_ready end,
      (select x.at from tasker.gated_due_at(v_namespaces) as x (at) where x.at > v_now and not p_orchestrator)
    );
  end if;
  return least(
    v_timer,
    v_lease,
    v_ready,
    -- Every deferred start is due, so it does not matter which task has waited longest.
    case when p_orchestrator then (select w.waiting_since from tasker.waiting_tasks as w where w.discovered_until is null limit 1) end,
    case when p_orchestrator then (select min(w.discovered_until) from tasker.waiting_tasks as w where w.discovered_until is not null) end,
    case when not p_orchestrator then tasker.gated_due_at(v_namespaces) end,
    -- An orchestrator also processes recorded results of paused namespaces.
    case when p_orchestrator then (
      select min(g.visible_at)
        from tasker.queue_groups(array(
          select n.name
            from tasker.task_namespaces as n
           where p_namespaces is null
              or n.name = any (p_namespaces)
        )) as g
       where g.lane = 'results'
    ) end
  );
end;
$$;

comment on function tasker.next_due_at is
$$Returns until when an idle client may sleep unless a notification wakes it: the time when work is next due in these
namespaces, null for all namespaces. Work is a timer, a lease that ends or a task that a direct call touched. For a
worker, work is also a ready step, or a place in a limit that a step waits for. For an orchestrator (p_orchestrator),
work is also a deferred start or a recorded result. The time is now or in the past if work is already due, and null if
no work is scheduled. With p_later, timers and steps that are already due do not count, so that a caller that could not
claim them learns when other work is due.

If an old snapshot keeps many dead rows in the queue, a call in the same session within the next ten seconds begins
reading where the previous call found the first row. This call may miss a lease that is shorter than the setting, and a
row of a transaction that commits a quarter of a second after it was written. A claim finds both, and so does the first
call after the ten seconds. Raises TK404 for an unknown namespace, TK403 if the role is bound to other namespaces.$$;

grant execute on function tasker.next_due_at to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
