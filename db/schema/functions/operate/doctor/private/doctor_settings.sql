create or replace function tasker.doctor_settings()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_changed text := (
    select string_agg(format('%s is %s, not %s', s.name, s.value, s.default_value), ', ' order by s.name)
      from tasker.settings as s
     where s.value <> s.default_value
  );
begin
  return query
  select 'settings', 'ok', coalesce(v_changed, 'all have their defaults'), null::text;
end;
$$;

comment on function tasker.doctor_settings is
$$Reports which of pgtasker's settings differ from their defaults.$$;
