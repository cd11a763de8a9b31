create or replace function tasklib.list_settings()
  returns setof tasklib.settings
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select s.*
    from tasklib.settings as s
   order by s.name;
end;
$$;

comment on function tasklib.list_settings is
$$Returns all settings in the order of their names, each with its value, default, bounds and purpose, and the role and the time of its last change.$$;

grant execute on function tasklib.list_settings
  to tasklib_submitter, tasklib_worker, tasklib_operator, tasklib_reader;
