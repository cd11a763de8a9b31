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
      message = 'the name of a task is null',
      hint    = 'tasklib.get_registered_tasks() shows the names that are registered.';
  end if;
  raise exception using
    errcode = 'TK404',
    message = format('no task is registered as "%s"', left(p_name, 100)),
    hint    = 'Register it with tasklib.register_task(name), in Go with Client.Sync; a worker registers its own tasks when it starts.';
end;
$$;

comment on function tasklib.raise_name_not_found is
$$Raises TK404 for a name that is not registered, TK422 if the name is null.$$;
