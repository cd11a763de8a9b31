create or replace function tasklib.fire_schedules(
  p_limit  integer  default 100
)
  returns integer
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_now      timestamptz := tasklib.clock();
  v_schedule tasklib.schedules;
  v_after    tasklib.schedules;
  v_count    integer := 0;
begin
  p_limit := coalesce(p_limit, 100);
  if p_limit between 1 and 10000 is not true then
    raise exception using
      errcode = 'TK422',
      message = format('the limit is %s; it must be between 1 and 10,000', coalesce(p_limit::text, 'null')),
      hint    = 'One call fires 1 to 10,000 ticks.';
  end if;

  for v_schedule in
    select s.*
      from tasklib.schedules as s
     where s.next_at <= v_now
       and (s.retry_at <= v_now) is not false
     order by s.next_at
     limit p_limit
       for update skip locked
  loop
    exit when v_count >= p_limit;
    begin
      v_after := tasklib.take_ticks(v_schedule, p_limit - v_count);
      v_count := v_count + (
        select count(*)
          from tasklib.schedule_ticks as k
         where k.schedule = v_schedule.schedule
           and k.tick_no > v_schedule.tick_count
           and k.outcome = 'made'
      );
    exception when others then
      -- Record the error in the row of this schedule, try the schedule again later, and continue with the other schedules.
      v_after := v_schedule;
      v_after.failures := v_after.failures + 1;
      v_after.last_error := format('%s: %s', sqlstate, left(sqlerrm, 1000));
      v_after.last_error_at := v_now;
      v_after.retry_at := v_now + least(interval '10 seconds' * power(2, least(v_after.failures, 20) - 1), interval '1 hour');
      v_after := tasklib.note_tick(v_after, v_after.next_at, 'failed', null, v_after.last_error);
    end;

    update tasklib.schedules as s
       set next_at       = v_after.next_at,
           last_at       = v_after.last_at,
           last_task_id  = v_after.last_task_id,
           tick_count    = v_after.tick_count,
           failures      = v_after.failures,
           last_error    = v_after.last_error,
           last_error_at = v_after.last_error_at,
           retry_at      = v_after.retry_at
     where s.schedule = v_schedule.schedule;
  end loop;
  return v_count;
end;
$$;

comment on function tasklib.fire_schedules is
$$Submits at most p_limit tasks of schedules that are due, and returns how many it submitted. Workers call this function every few seconds.

Concurrent callers submit only one task for a tick: the caller that holds the schedule's lock submits the task and advances the schedule in one transaction, and all other callers skip the schedule. If a schedule cannot be fired, its row keeps the tick and shows the error. The next attempt is 10 seconds later, and each further failure doubles this delay, up to an hour. The other schedules are fired nevertheless. Raises TK422 for a limit out of bounds.$$;

grant execute on function tasklib.fire_schedules to tasklib_worker, tasklib_operator;
