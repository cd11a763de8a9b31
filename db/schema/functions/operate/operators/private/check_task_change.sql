create or replace function tasker.check_task_change(
  p_priority  integer,
  p_start_at  timestamptz,
  p_deadline  timestamptz,
  p_context   jsonb,
  p_reason    text
)
  returns void
  language plpgsql
  stable
as $$
begin
  if num_nonnulls(p_priority, p_start_at, p_deadline, p_context) = 0 then
    raise exception using
      errcode = 'TK422',
      message = 'there is nothing to change',
      hint    = 'Name a priority, a start, a deadline or a context.';
  elsif p_context is not null and btrim(coalesce(p_reason, '')) = '' then
    raise exception using
      errcode = 'TK422',
      message = 'the reason is missing',
      hint    = 'A new context of a task needs a reason, which the log of administration keeps.';
  end if;
  perform tasker.check_instant('start of a task', p_start_at);
  perform tasker.check_instant('deadline of a task', p_deadline);
  perform tasker.check_task_arguments(p_priority, null, null, null, null, null, p_start_at, p_deadline);
end;
$$;

comment on function tasker.check_task_change is
$$Raises TK422 if the arguments of tasker.change_task name no change, or have a value out of range.$$;
