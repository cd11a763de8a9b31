create or replace function tasker.check_identity_regained(p_task tasker.tasks, p_doing text default 'be reset')
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_other text := tasker.regain_identity(p_task);
begin
  if v_other is not null then
    raise exception using
      errcode = 'TK409',
      message = case v_other
        when 'locked' then format('another session holds the identity of task %s', p_task.task_uuid)
        else format('task %s cannot %s: task %s has its identity and is open', p_task.task_uuid, p_doing, v_other)
      end,
      detail  = 'An identity with the scope "open" has at most one open task.',
      hint    = case v_other
        when 'locked' then 'It creates or resets a task of the same identity. Try again.'
        else format('Cancel the other task or let it end, then %s.', case p_doing when 'be reset' then 'reset this one' else 'try again' end)
      end;
  end if;
end;
$$;

comment on function tasker.check_identity_regained is
$$Calls tasker.regain_identity for a task that is about to be reset or opened in another way (p_doing). Raises TK409, with the UUID of the other task, if another open task has the identity.$$;
