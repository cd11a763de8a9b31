create or replace function tasker.erases()
  returns boolean
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return tasker.is_running('erase_rows(uuid)');
end;
$$;

comment on function tasker.erases is
$$Returns whether tasker.erase_rows is running. The guards of the history let only that function change the history.$$;
