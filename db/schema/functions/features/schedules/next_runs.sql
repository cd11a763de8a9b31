create or replace function tasker.next_runs(p_namespace text, p_schedule text, p_limit integer default 10)
  returns setof tasker.schedule_runs
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_schedule tasker.schedules;
  v_run      tasker.schedule_runs;
begin
  p_limit := coalesce(p_limit, 10);
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_limit(p_limit, 1000);
  select s.*
    into v_schedule
    from tasker.schedules as s
   where s.namespace = p_namespace
     and s.schedule = p_schedule;
  if not found then
    perform tasker.raise_schedule_not_found(p_namespace, p_schedule);
  end if;

  v_run.tick_at := case
    when v_schedule.paused_at is null then v_schedule.next_tick_at
    else tasker.schedule_next_tick(v_schedule, tasker.clock())
  end;
  for i in 1 .. p_limit loop
    exit when v_run.tick_at is null;
    v_run.due_at := tasker.schedule_tick_due_at(v_schedule, v_run.tick_at);
    return next v_run;
    v_run.tick_at := tasker.schedule_next_tick(v_schedule, v_run.tick_at);
  end loop;
end;
$$;

comment on function tasker.next_runs is
$$Returns the next ticks of a schedule, at most p_limit, each with the time when it is due, including its jitter. For a paused schedule, returns the ticks that would follow if it were resumed now. Raises TK404 if there is no such schedule, TK422 for a limit out of range, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.next_runs
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
