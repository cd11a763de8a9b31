create or replace function tasker.check_reset_tasks(
  p_reason   text,
  p_state    text,
  p_limit    integer,
  p_dry_run  boolean,
  p_tags     text[],
  p_actor    text
)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_bulk(p_reason, p_limit, p_dry_run);
  perform tasker.check_given_name('actor', p_actor, 200);
  perform tasker.check_array_size('tags', cardinality(p_tags), 100);
  if coalesce(p_state not in ('blocked_by_failures', 'error'), true) then
    raise exception using
      errcode = 'TK422',
      message = format('tasks that are %s cannot be reset', coalesce('"' || left(p_state, 40) || '"', 'null')),
      hint    = 'What failures have stopped can be: tasks that are blocked_by_failures, or in error.';
  end if;
end;
$$;

comment on function tasker.check_reset_tasks is
$$Raises TK422 or TK413 for invalid arguments of tasker.reset_tasks.$$;
