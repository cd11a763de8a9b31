create or replace function tasklib.get_registered_tasks()
  returns setof tasklib.registered_tasks
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select r.*
    from tasklib.registered_tasks as r
   order by r.name;
end;
$$;

comment on function tasklib.get_registered_tasks is
$$Returns the registered names with their options, in the order of the names.$$;

grant execute on function tasklib.get_registered_tasks
  to tasklib_submitter, tasklib_worker, tasklib_operator, tasklib_reader;
