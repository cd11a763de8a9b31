create or replace function tasker.list_settings()
  returns setof tasker.settings
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select s.*
    from tasker.settings as s
   order by s.name;
end;
$$;

comment on function tasker.list_settings is
$$Returns all settings by name: value, default, bounds, purpose, and the role and time of the last change.$$;

grant execute on function tasker.list_settings
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
