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
$$Returns the schedules by name, each with its next tick, its last tick with the task, and the error that delays it.$$;

grant execute on function tasklib.list_schedules
  to tasklib_submitter, tasklib_worker, tasklib_operator, tasklib_reader;
