create or replace function tasker.backfill_schedule(
  p_namespace  text,
  p_schedule   text,
  p_from       timestamptz,
  p_until      timestamptz,
  p_overlap    text         default 'one_by_one',
  p_actor      text         default null,
  p_reason     text         default null
)
  returns setof tasker.schedules
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
  v_schedule tasker.schedules;
begin
  p_overlap := coalesce(p_overlap, 'one_by_one');
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_instant('start of a backfill', p_from);
  perform tasker.check_instant('end of a backfill', p_until);
  if p_from is not null then
    perform tasker.check_recent_sign_in();
  end if;
  v_schedule := tasker.lock_schedule(p_namespace, p_schedule);
  if p_from is null and p_until is null then
    v_schedule.backfill_next_at := null;
    v_schedule.backfill_until := null;
    v_schedule.backfill_overlap := null;
    return next tasker.write_schedule(v_schedule);
    return;
  end if;

  if (p_from <= p_until and p_until <= tasker.clock() and p_overlap in ('allow', 'one_by_one')) is not true then
    raise exception using
      errcode = 'TK422',
      message = format('schedule "%s/%s" cannot be backfilled like this', p_namespace, p_schedule),
      detail  = format('from %s until %s, overlap %s', p_from, p_until, left(p_overlap, 100)),
      hint    = 'Both times lie in the past, the later one last; overlap is allow or one_by_one. Null for both ends the backfill that runs.';
  elsif v_schedule.backfill_next_at is not null then
    raise exception using
      errcode = 'TK409',
      message = format('schedule "%s/%s" is being backfilled', p_namespace, p_schedule),
      detail  = format('It is at %s and goes on until %s.', v_schedule.backfill_next_at, v_schedule.backfill_until),
      hint    = 'Wait for its end, or end it: tasker.backfill_schedule(namespace, schedule, null, null).';
  end if;

  -- Ticks before the schedule's start may be backfilled, too.
  v_schedule.backfill_next_at := tasker.schedule_tick_after(v_schedule, p_from - interval '1 microsecond');
  if v_schedule.backfill_next_at > p_until then
    raise exception using
      errcode = 'TK422',
      message = format('schedule "%s/%s" has no tick to backfill', p_namespace, p_schedule),
      detail  = format('After %s the first one is %s.', p_from, v_schedule.backfill_next_at),
      hint    = 'Name a longer time.';
  end if;
  v_schedule.backfill_until := p_until;
  v_schedule.backfill_overlap := p_overlap;
  v_schedule := tasker.write_schedule(v_schedule);
  perform tasker.notify_steps_ready(p_namespace);
  perform tasker.notify_orchestrators();
  return next v_schedule;
end;
$$;

comment on function tasker.backfill_schedule is
$$Creates the tasks for a schedule's ticks in a past period, from p_from to p_until, both included. Later claims create these tasks: each task after the end of the preceding task ("one_by_one"), or without waiting ("allow"). A tick that has a task already gets no other task. Returns the schedule, whose columns backfill_… show the progress. If both times are null, the function ends the running backfill.

The backfill has an overlap policy of its own, because a policy that skips would create only the task of the first tick. A pause of the schedule also pauses the backfill. Locks the schedule, then its timer. Raises TK428 for a person whose sign-in is too old. Raises TK404 if there is no such schedule, TK409 if a backfill runs, TK422 if the times are not in the past or the period has no tick, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.backfill_schedule to tasker_orchestrator, tasker_operator;
