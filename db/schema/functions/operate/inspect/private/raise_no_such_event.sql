create or replace function tasker.raise_no_such_event(p_step_no integer, p_sort_key integer)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using
    errcode = 'TK422',
    message = 'the history has no such event to begin after',
    detail  = format('step %s, sort key %s', coalesce(p_step_no::text, 'none'), p_sort_key),
    hint    = 'Pass step_no and sort_key of the last event of the page before, or neither.';
end;
$$;

comment on function tasker.raise_no_such_event is
$$Raises TK422 because a page of history cannot begin after an event that the history does not have.$$;
