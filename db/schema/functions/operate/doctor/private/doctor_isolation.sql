create or replace function tasker.doctor_isolation()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_level text := (
    select s.reset_val
      from pg_settings as s
     where s.name = 'default_transaction_isolation'
  );
begin
  return query
  select
    'isolation',
    case when v_level = 'read committed' then 'ok' else 'warn' end,
    format('transactions begin in %s', v_level),
    case when v_level <> 'read committed' then
      'Functions of workers and orchestrators need read committed: set default_transaction_isolation for their roles.'
    end;
end;
$$;

comment on function tasker.doctor_isolation is
$$Checks that transactions begin with the isolation level that the functions of workers need.$$;
