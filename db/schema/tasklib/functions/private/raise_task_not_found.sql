create or replace function tasklib.raise_task_not_found(
  p_id uuid
)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using
    errcode = 'TK404',
    message = format('task %s does not exist', p_id),
    hint    = 'It was never submitted here, or was purged.';
end;
$$;

comment on function tasklib.raise_task_not_found is
$$Raises TK404 for a task that does not exist.$$;
