create or replace function tasker.doctor_timeouts()
  returns setof tasker.installation_findings
  language plpgsql
  stable
as $$
declare
  v_endless text;
begin
  -- If a login role may claim or change rows and leaves its transaction open, other sessions have to wait.
  select string_agg(e.rolname, ', ' order by e.rolname)
    into v_endless
    from (
      select r.rolname
        from pg_roles as r
       where r.rolcanlogin
         and not r.rolsuper
         and exists (
           select
             from unnest('{tasker_submitter,tasker_worker,tasker_orchestrator,tasker_operator}'::text[]) as u (name)
             join pg_roles as g
               on g.rolname = u.name
            where pg_has_role(r.oid, g.oid, 'member')
         )
         and not exists (
           select
             from pg_db_role_setting as s
            cross join unnest(s.setconfig) as c (line)
            where s.setrole in (0, r.oid)
              and s.setdatabase in (0, (select d.oid from pg_database as d where d.datname = current_database()))
              and c.line ~ '^idle_in_transaction_session_timeout=.*[1-9]'
         )
       order by r.rolname
       limit 10
    ) as e
   where (select s.boot_val = s.reset_val from pg_settings as s where s.name = 'idle_in_transaction_session_timeout');

  return query
  select
    'timeouts',
    case when v_endless is not null then 'warn' else 'ok' end,
    case
      when v_endless is not null and tasker.bound_namespaces() is not null then 'transactions of login roles may stay open without end'
      when v_endless is not null then format('transactions may stay open without end: %s', v_endless)
      else 'idle transactions of login roles end'
    end,
    case when v_endless is not null then
      'Other sessions wait for their locks: alter role … set idle_in_transaction_session_timeout = ''1min''; and a statement_timeout.'
    end;
end;
$$;

comment on function tasker.doctor_timeouts is
$$Finds login roles that may leave a transaction open without end.$$;
