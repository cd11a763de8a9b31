create or replace function tasker.cancel_by_event(p_task_uuid uuid, p_event tasker.broadcasts)
  returns void
  language plpgsql
as $$
declare
  v_task    tasker.tasks;
  v_timeout text := current_setting('lock_timeout');
begin
  -- Events of several callers may share a call that has a shorter lock_timeout, so that one task does not hold them up.
  if v_timeout::interval not between interval '1 ms' and interval '5 s' then
    perform set_config('lock_timeout', '5s', true);
  end if;
  v_task := tasker.lock_task(p_task_uuid);
  if not v_task.complete and not tasker.is_undone(v_task.undo) then
    perform tasker.move_task(
      v_task, 'Cancel', 'cancelled', null,
      jsonb_build_object('reason', format('event "%s"', p_event.name), 'event_uuid', p_event.event_uuid), p_event.sent_by
    );
  end if;
  perform set_config('lock_timeout', v_timeout, true);
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.cancel_by_event is
$$Cancels a task because of an event, unless the task has ended or is being undone. Locks the task, then its steps. Raises TK409 if another session keeps the task locked for 5 seconds, or for the caller's lock_timeout if that is shorter.$$;
