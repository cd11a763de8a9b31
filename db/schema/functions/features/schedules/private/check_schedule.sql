create or replace function tasker.check_schedule(p_schedule tasker.schedules)
  returns void
  language plpgsql
  stable
as $$
declare
  v_name     text := format('%s/%s', left(p_schedule.namespace, 100), left(p_schedule.schedule, 200));
  v_template tasker.creation_templates;
begin
  perform tasker.check_text_size('name of a schedule', p_schedule.schedule, 200);
  perform tasker.check_text_size('cron expression', p_schedule.cron, 200);
  perform tasker.check_depth('context of a schedule', p_schedule.context);
  perform tasker.check_instant('start of a schedule', p_schedule.starts_at);
  perform tasker.check_instant('end of a schedule', p_schedule.ends_at);
  if p_schedule.namespace is null or coalesce(p_schedule.schedule, '') = '' or (p_schedule.cron is null) = (p_schedule.every_seconds is null) then
    raise exception using
      errcode = 'TK422',
      message = case
        when p_schedule.namespace is null then 'the namespace of the schedule is null'
        when coalesce(p_schedule.schedule, '') = '' then 'a schedule needs a name'
        else format('schedule "%s" has %s', v_name, case when p_schedule.cron is null then 'neither a cron expression nor an interval' else 'both a cron expression and an interval' end)
      end,
      hint    = 'Give a name of 1 to 200 characters, and either p_cron, such as "0 6 * * *", or p_every_seconds.';
  elsif (coalesce(p_schedule.every_seconds, 1) between 1 and 315360000
      and p_schedule.jitter_seconds between 0 and 86400
      and p_schedule.catch_up in ('skip', 'one', 'all')
      and p_schedule.catch_up_limit between 1 and 10000
      and p_schedule.overlap in ('allow', 'skip', 'queue_one')
      and coalesce(p_schedule.deadline_seconds, 1) between 1 and 315360000) is not true then
    raise exception using
      errcode = 'TK422',
      message = format('schedule "%s" cannot be set like this', v_name),
      detail  = format(
        'every %s seconds, jitter %s seconds, catch-up %s up to %s, overlap %s, deadline %s seconds',
        coalesce(p_schedule.every_seconds::text, '-'), coalesce(p_schedule.jitter_seconds::text, 'null'),
        coalesce(left(p_schedule.catch_up, 100), 'null'), coalesce(p_schedule.catch_up_limit::text, 'null'),
        coalesce(left(p_schedule.overlap, 100), 'null'), coalesce(p_schedule.deadline_seconds::text, '-')
      ),
      hint    = 'Intervals and deadlines are 1 second to 10 years, jitter at most a day; catch-up is skip, one or all, up to 10,000; overlap is allow, skip or queue_one.';
  elsif p_schedule.ends_at <= greatest(p_schedule.starts_at, tasker.clock()) then
    raise exception using
      errcode = 'TK422',
      message = format('schedule "%s" ends before it ticks', v_name),
      detail  = format('start %s, end %s', coalesce(p_schedule.starts_at::text, 'now'), p_schedule.ends_at),
      hint    = 'The end is after now and after the start.';
  end if;
  perform tasker.check_timezone(p_schedule.timezone);

  v_template := tasker.find_template(p_schedule.namespace, p_schedule.task_name, p_schedule.task_version);
  -- The tick is the identity. The template's own identity does not matter.
  v_template.identity_strategy := 'always_unique';
  perform tasker.check_task_requests(
    v_template, p_schedule.namespace || '/' || p_schedule.task_name, array[p_schedule.context], null, null
  );
  perform tasker.check_task_arguments(p_schedule.priority, p_schedule.tags, null, null, null, null, null, null);
end;
$$;

comment on function tasker.check_schedule is
$$Raises TK404 if a schedule's template does not exist, TK410 if it is retired, TK413 if the schedule's context or a text is too large, TK422 for any other invalid field of the schedule.$$;
