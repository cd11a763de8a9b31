create or replace function tasklib.list_task_actions(
  p_id      uuid     default null,
  p_before  bigint   default null,
  p_limit   integer  default 100
)
  returns setof tasklib.task_actions
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  p_limit := coalesce(p_limit, 100);
  if p_limit between 1 and 10000 is not true then
    raise exception using
      errcode = 'TK422',
      message = format('the limit is %s; it must be between 1 and 10,000', coalesce(p_limit::text, 'null')),
      hint    = 'For the next page pass the last action''s number as p_before.';
  end if;
  return query
  select a.*
    from tasklib.task_actions as a
   where (p_id is null or a.task_id = p_id)
     and (p_before is null or a.action_no < p_before)
   order by a.action_no desc
   limit p_limit;
end;
$$;

comment on function tasklib.list_task_actions is
$$Returns at most p_limit actions of operators, newest first: who cancelled, retried, erased, paused, resumed, restricted, registered, scheduled, unscheduled or purged which task or name. With p_id, returns only actions on this task. With p_before, returns only actions with a lower action_no. Raises TK422 for a limit out of bounds.$$;

grant execute on function tasklib.list_task_actions
  to tasklib_operator, tasklib_reader;
