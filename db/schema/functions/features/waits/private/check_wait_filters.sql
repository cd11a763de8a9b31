create or replace function tasker.check_wait_filters(
  p_task_name    text,
  p_signal       text,
  p_event        text,
  p_assignee     text,
  p_older_than   interval,
  p_after_since  timestamptz,
  p_after_step   uuid
)
  returns void
  language plpgsql
  stable
as $$
begin
  perform tasker.check_text_size('name of a template', p_task_name, 64);
  perform tasker.check_text_size('name of a signal', p_signal, 128);
  perform tasker.check_text_size('name of an event', p_event, 128);
  perform tasker.check_text_size('assignee', p_assignee, 200);
  perform tasker.check_instant('time after which a page begins', p_after_since);
  if p_older_than is not null then
    perform tasker.check_period('age of a wait', p_older_than);
    if p_older_than < interval '0' then
      raise exception using
        errcode = 'TK422',
        message = format('an age of %s is below zero', p_older_than),
        hint    = 'Give how long a step has waited at least.';
    end if;
  end if;
  if (p_after_since is null) <> (p_after_step is null) then
    raise exception using
      errcode = 'TK422',
      message = 'a page begins after a wait: p_after_since and p_after_step come together',
      hint    = 'Give waiting_since and step_uuid of the last row of the page before.';
  end if;
end;
$$;

comment on function tasker.check_wait_filters is
$$Checks the filters of tasker.list_waits. Raises TK422 for a filter out of range, TK413 for a text that is too long.$$;
