create or replace function tasklib.list_schedules()
  returns setof tasklib.schedules
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select s.*
    from tasklib.schedules as s
   order by s.schedule;
end;
$$;

comment on function tasklib.list_schedules is
$$Returns all schedules in the order of their names, each with its next tick, its last tick, the task of that tick, and the last error if the schedule could not be fired.$$;

grant execute on function tasklib.list_schedules
  to tasklib_submitter, tasklib_worker, tasklib_operator, tasklib_reader;
