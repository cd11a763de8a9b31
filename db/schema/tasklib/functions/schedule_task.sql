create or replace function tasklib.schedule_task(
  p_schedule         text,
  p_name             text,
  p_cron             text,
  p_timezone         text     default 'UTC',
  p_kwargs           jsonb    default '{}',
  p_missed           text     default 'once',
  p_priority         integer  default 0,
  p_max_retries      integer  default null,
  p_timeout_seconds  integer  default null,
  p_tags             jsonb    default '{}',
  p_actor            text     default null,
  p_reason           text     default null
)
  returns setof tasklib.schedules
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_now  timestamptz := tasklib.clock();
  v_next timestamptz;
begin
  p_timezone := coalesce(p_timezone, 'UTC');
  p_kwargs   := coalesce(p_kwargs, '{}');
  p_missed   := coalesce(p_missed, 'once');
  p_priority := coalesce(p_priority, 0);
  p_tags     := coalesce(p_tags, '{}');
  perform tasker.administer(p_actor, p_reason);
  if not exists (select from tasklib.registered_tasks as r where r.name = p_name) then
    perform tasklib.raise_name_not_found(p_name);
  end if;
  if length(p_schedule) between 1 and 200 is not true or p_missed in ('skip', 'once', 'all') is not true
     or p_priority is null then
    raise exception using
      errcode = 'TK422',
      message = format('schedule "%s" is invalid', left(p_schedule, 200)),
      detail  = format('missed %s, priority %s', left(p_missed, 100), p_priority),
      hint    = 'Its name has 1 to 200 characters; missed ticks are skip, once or all.';
  end if;
  perform tasklib.check_submissions(
    array[p_kwargs], null, null, array[p_max_retries], array[p_timeout_seconds], array[coalesce(p_tags, '{}')], null, null
  );
  v_next := tasklib.next_tick(p_cron, p_timezone, v_now);

  -- If the expression and the time zone do not change, keep the next tick. Every worker repeats this call when it starts, and
  -- must not drop a tick that is just due.
  insert into tasklib.schedules as s
    (schedule, name, cron, timezone, missed, next_at, priority, max_retries, timeout_seconds, kwargs, tags, created_at, created_by)
  values
    (p_schedule, p_name, p_cron, p_timezone, p_missed, v_next, p_priority, p_max_retries, p_timeout_seconds, p_kwargs,
     coalesce(p_tags, '{}'), v_now, tasklib.caller_name())
  on conflict (schedule) do update
     set name            = excluded.name,
         cron            = excluded.cron,
         timezone        = excluded.timezone,
         missed          = excluded.missed,
         next_at         = case when (s.cron, s.timezone) = (excluded.cron, excluded.timezone) then s.next_at else tasklib.next_tick(excluded.cron, excluded.timezone, tasklib.write_clock()) end,
         priority        = excluded.priority,
         max_retries     = excluded.max_retries,
         timeout_seconds = excluded.timeout_seconds,
         kwargs          = excluded.kwargs,
         tags            = excluded.tags,
         created_by      = excluded.created_by,
         -- Clear the error, because the change may have fixed its cause.
         failures        = 0,
         last_error      = null,
         last_error_at   = null,
         retry_at        = null
   where (s.name, s.cron, s.timezone, s.missed, s.priority, s.max_retries, s.timeout_seconds, s.kwargs, s.tags)
      is distinct from
         (excluded.name, excluded.cron, excluded.timezone, excluded.missed, excluded.priority, excluded.max_retries,
          excluded.timeout_seconds, excluded.kwargs, excluded.tags);
  if found then
    perform tasklib.log_action('schedule', null, p_name, jsonb_build_object(
      'schedule', p_schedule, 'cron', p_cron, 'timezone', p_timezone, 'missed', p_missed));
  end if;
  return query select s.* from tasklib.schedules as s where s.schedule = p_schedule;
end;
$$;

comment on function tasklib.schedule_task is
$$Creates a schedule, which from now on submits a task at every tick of a cron expression in a time zone. Replaces a schedule of the same name. The tasks have the tags of p_tags and two more tags, "schedule" and "tick".

Any number of workers may fire the schedule, and each tick has one task. A tick is missed if no worker fired it for longer than the setting missed_tick_seconds. If p_missed is "skip", missed ticks have no task. If it is "once", one task replaces all missed ticks. If it is "all", each missed tick has a task. Idempotent: a call with the same arguments keeps the next tick. Locks the schedule. Raises TK404 if the name is not registered, TK413 and TK422 as submit_tasks and next_tick do.$$;

grant execute on function tasklib.schedule_task
  to tasklib_submitter, tasklib_operator;
