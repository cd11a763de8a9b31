create or replace function tasker.doctor_server()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_version integer := current_setting('server_version_num')::integer / 10000;
begin
  return query
  select
    'server',
    case when v_version < 15 then 'fail' when v_version > 18 then 'warn' else 'ok' end,
    format('PostgreSQL %s, up since %s', split_part(current_setting('server_version'), ' ', 1), date_trunc('second', pg_postmaster_start_time())),
    case when v_version not between 15 and 18 then 'pgtasker is tested on PostgreSQL 15 to 18.' end;
end;
$$;

comment on function tasker.doctor_server is
$$Checks that pgtasker is tested with the server's version of PostgreSQL.$$;
