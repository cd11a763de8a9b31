create or replace function tasklib.raise_name_not_found(
  p_name text
)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_name is null then
    raise exception using
      errcode = 'TK422',
      message = 'no name of a task is given',
      hint    = 'tasklib.get_registered_tasks() shows the names that are registered.';
  end if;
  raise exception using
    errcode = 'TK404',
    message = format('no task is registered as "%s"', left(p_name, 100)),
    hint    = 'Register it: tasklib.register_task(name), in Go Client.Sync; a worker does so for its own when it starts.';
end;
$$;

comment on function tasklib.raise_name_not_found(text) is
$$Raises the TK404 of a name that nobody has registered, TK422 if it is null.$$;

revoke all on function tasklib.raise_name_not_found(text) from public;
