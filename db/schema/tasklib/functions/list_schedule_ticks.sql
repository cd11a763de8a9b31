create or replace function tasklib.list_schedule_ticks(
  p_schedule  text,
  p_limit     integer  default 100,
  p_before    bigint   default null
)
  returns setof tasklib.schedule_ticks
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
      hint    = 'One call lists 1 to 10,000 ticks.';
  end if;
  return query
  select k.*
    from tasklib.schedule_ticks as k
   where k.schedule = p_schedule
     and (p_before is null or k.tick_no < p_before)
   order by k.tick_no desc
   limit p_limit;
end;
$$;

comment on function tasklib.list_schedule_ticks is
$$Returns the history of a schedule, newest tick first: the outcome of each tick (made, skipped or failed), its task, and the reason if the tick has no task. Returns at most p_limit ticks. With p_before, returns only ticks with a lower tick_no. Returns no row for a schedule that does not exist. The setting schedule_ticks says how many ticks the history keeps. Raises TK422 for a limit out of bounds.$$;

grant execute on function tasklib.list_schedule_ticks
  to tasklib_submitter, tasklib_worker, tasklib_operator, tasklib_reader;
