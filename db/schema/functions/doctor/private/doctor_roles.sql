create or replace function tasker.doctor_roles()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_roles text[] := array[
    'tasker_owner', 'tasker_submitter', 'tasker_worker', 'tasker_orchestrator', 'tasker_operator', 'tasker_reader',
    'tasker_server',
    'tasklib_submitter', 'tasklib_worker', 'tasklib_operator', 'tasklib_reader'
  ];
  v_missing text;
  v_mighty  text;
  v_granted text;
  v_endless text;
begin
  select
    string_agg(u.name, ', ' order by u.name) filter (where r.oid is null),
    string_agg(u.name, ', ' order by u.name) filter (where r.rolcanlogin or r.rolsuper)
    into v_missing, v_mighty
    from unnest(v_roles) as u (name)
    left join pg_roles as r
      on r.rolname = u.name;

  select string_agg(g.line, ', ' order by g.line)
    into v_granted
    from (
      select format('%s to %s', r.rolname, count(*)) as line
        from pg_auth_members as m
        join pg_roles as r
          on r.oid = m.roleid
       where r.rolname = any (v_roles[2:])
       group by r.rolname
    ) as g;

  return query
  select
    'roles',
    case when v_missing is not null then 'fail' when v_mighty is not null then 'warn' else 'ok' end,
    case
      when v_missing is not null then format('roles are missing: %s', v_missing)
      when v_mighty is not null then format('a role may log in or is a superuser: %s', v_mighty)
      else format('all eleven are there; granted: %s', coalesce(v_granted, 'none but to superusers'))
    end,
    case
      when v_missing is not null then 'Create them (create role … nologin noinherit) and restore their grants.'
      when v_mighty is not null then 'Use them as groups only: alter role … nologin nosuperuser, and grant them to login roles.'
    end;

  -- A login role that may claim or change rows and leaves its transaction open makes other sessions wait.
  select string_agg(e.rolname, ', ' order by e.rolname)
    into v_endless
    from (
      select r.rolname
        from pg_roles as r
       where r.rolcanlogin
         and not r.rolsuper
         and exists (
           select
             from unnest(v_roles[2:5]) as u (name)
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
      when v_endless is not null then format('transactions may stay open without end: %s', v_endless)
      else 'idle transactions of login roles end'
    end,
    case when v_endless is not null then
      'Other sessions wait for their locks: alter role … set idle_in_transaction_session_timeout = ''1min''; and a statement_timeout.'
    end;
end;
$$;

comment on function tasker.doctor_roles() is
$$Checks that the roles exist and are only groups, reports to how many roles each is granted, and finds login roles that may leave a transaction open without end.$$;

revoke all on function tasker.doctor_roles() from public;
