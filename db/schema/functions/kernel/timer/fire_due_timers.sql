create or replace function tasker.fire_due_timers(p_limit integer default 100, p_processor_uuid uuid default null)
  returns integer
  language plpgsql
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
  v_now   timestamptz := tasker.write_clock();
  v_since timestamptz := '-infinity';
  v_turns text[];
begin
  p_limit := coalesce(p_limit, 100);
  perform tasker.check_isolation();
  perform tasker.check_limit(p_limit, 10000);
  if tasker.timers_are_bloated() then
    v_since := tasker.timer_mark(v_now);
  end if;
  if exists (select from tasker.timers as m where m.due_at between v_since and v_now order by m.due_at offset p_limit) then
    v_turns := array(select n.name from tasker.task_namespaces as n);
  end if;
  return tasker.fire_timers(
    row(p_limit, 1000, 500, interval '250 milliseconds', p_processor_uuid)::tasker.fire_budgets, v_since, v_turns, 0
  );
end;
$$;

comment on function tasker.fire_due_timers is
$$Fires due timers: starts tasks, enqueues steps whose wait for the next attempt is over, ends waits whose time has
come, delivers events to the steps that wait for them (at most p_limit steps, never more than 500), starts the instances
of maps (at most a thousand a call) and ends them, fails tasks whose deadline has passed, undoes the steps of failed and
cancelled tasks (at most a thousand compensations a call), creates the tasks of schedules that tick, and carries out
notes between tasks (start a step's task, tell the parent of its end, cancel it). Returns how many timers it fired.
p_processor_uuid names the processor in the log.

Claims do the same, with fewer instances of maps and fewer steps that get an event, so a system needs only workers. If a
call of this function has started a thousand instances of a map, or has delivered an event to as many steps as it may,
claims leave the rest to the next call of this function for 250 ms. If an old snapshot keeps many dead rows in
tasker.timers, a call in the same session within the next second begins reading where the previous call found its first
timer. If it finds no timer from there on, it reads from the beginning. If more than p_limit timers are due, namespaces
take turns, and timers that cancel tasks go before other timers. Any number of sessions may call this function at once,
and each call fires other timers. Locks timers, then tasks, without waiting. Tries a busy task again soon (a map in 20
ms, other tasks in 100 ms or a second). Then locks the steps of the locked tasks. Locks schedules without waiting and
fires one tick of each. An error is recorded with the schedule. Raises TK422 for a limit out of range, TK409 above READ
COMMITTED.$$;

grant execute on function tasker.fire_due_timers to tasker_worker, tasker_orchestrator, tasker_operator;
