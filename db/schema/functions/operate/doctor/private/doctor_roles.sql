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
end;
$$;

comment on function tasker.doctor_roles is
$$Checks that the roles of pgtasker exist, cannot log in and are no superusers, and reports to how many roles each of
them is granted.$$;
