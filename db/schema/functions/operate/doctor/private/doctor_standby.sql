create or replace function tasker.doctor_standby()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_lag double precision := tasker.standby_lag();
begin
  if not pg_is_in_recovery() then
    return;
  end if;
  return query
  select
    'standby',
    case when coalesce(v_lag, 0) > 60 then 'warn' else 'ok' end,
    case
      when v_lag is null then 'this server is a standby that has replayed no transaction since it started'
      else format('this server is a standby, %s s behind its primary', round(v_lag::numeric, 1))
    end,
    'It serves functions that only read. Functions that write raise 25006, and LISTEN does not work: connect workers and orchestrators to the primary.';
end;
$$;

comment on function tasker.doctor_standby is
$$Reports that this server is a standby, and how far it is behind its primary. Returns no row on a primary.$$;
