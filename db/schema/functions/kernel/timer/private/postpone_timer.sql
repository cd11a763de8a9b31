create or replace function tasker.postpone_timer(p_timer tasker.timers, p_code text, p_error text)
  returns void
  language plpgsql
as $$
declare
  v_pause interval := tasker.warn_of_failure(
    format(
      'timer %s of %s %s%s', p_timer.kind,
      case p_timer.kind when 'fire_schedule' then 'schedule' when 'deliver_event' then 'event' else 'task' end,
      p_timer.task_uuid, case when p_timer.step_no > 0 then format(', step %s,', p_timer.step_no) else '' end
    ),
    p_code, p_error
  );
begin
  perform
     from tasker.timers as m
    where m.task_uuid = p_timer.task_uuid
      and m.step_no = p_timer.step_no
      and m.kind = p_timer.kind
      and m.due_at <= p_timer.due_at
      for update skip locked;
  -- If another session holds the timer in the meantime, that session postpones it.
  if found then
    update tasker.timers as m
       set due_at = tasker.clock() + v_pause
     where m.task_uuid = p_timer.task_uuid
       and m.step_no = p_timer.step_no
       and m.kind = p_timer.kind;
    delete from tasker.failed_timers as f
     where not exists (
       select
         from tasker.timers as m
        where m.task_uuid = f.task_uuid
          and m.step_no = f.step_no
          and m.kind = f.kind
     );
    insert into tasker.failed_timers as f (task_uuid, step_no, kind, due_at, code, error, failed_at)
    values (
      p_timer.task_uuid, p_timer.step_no, p_timer.kind, tasker.clock() + v_pause, p_code, left(p_error, 1000), tasker.clock()
    )
    on conflict (task_uuid, step_no, kind) do update
       set due_at    = excluded.due_at,
           failures  = f.failures + 1,
           code      = excluded.code,
           error     = excluded.error,
           failed_at = excluded.failed_at;
  end if;
end;
$$;

comment on function tasker.postpone_timer is
$$Postpones a timer whose firing has failed with this SQLSTATE and message: by a second if the state of the server may be the cause, otherwise by a minute. Warns, and records the failure for tasker.check_installation.$$;
