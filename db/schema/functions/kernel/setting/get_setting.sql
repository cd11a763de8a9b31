create or replace function tasker.get_setting(p_name text)
  returns text
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return tasker.setting(p_name);
end;
$$;

comment on function tasker.get_setting is
$$Returns the value of a setting, as text. Raises TK404 if there is no setting of that name.$$;

grant execute on function tasker.get_setting
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
