create or replace function tasker.check_server_login()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_groups    text[] := array['tasker_submitter', 'tasker_worker', 'tasker_orchestrator', 'tasker_operator', 'tasker_reader'];
  v_login     pg_roles;
  v_inherited text;
  v_missing   text;
begin
  select r.* into v_login from pg_roles as r where r.rolname = session_user;
  select
    string_agg(u.name, ', ' order by u.name) filter (where pg_has_role(v_login.oid, u.name, 'usage')),
    string_agg(u.name, ', ' order by u.name) filter (where not pg_has_role(
      v_login.oid, u.name, case when current_setting('server_version_num')::integer >= 160000 then 'set' else 'member' end
    ))
    into v_inherited, v_missing
    from unnest(v_groups) as u (name);

  return query
  select
    'login',
    case when v_login.rolsuper or v_login.rolcreaterole or v_login.rolreplication or v_login.rolbypassrls then 'fail' else 'ok' end,
    case
      when v_login.rolsuper then format('login "%s" is a superuser', session_user)
      when v_login.rolcreaterole or v_login.rolreplication or v_login.rolbypassrls
        then format('login "%s" has rights that no request needs: createrole, replication or bypassrls', session_user)
      else format('login "%s" has no rights beside its groups', session_user)
    end,
    case when v_login.rolsuper or v_login.rolcreaterole or v_login.rolreplication or v_login.rolbypassrls then
      'Log in as a role of its own: create role tasker_web login noinherit; grant tasker_server, tasker_reader to tasker_web.'
    end
  union all
  select
    'inherited rights',
    case when v_inherited is not null and not v_login.rolsuper then 'fail' else 'ok' end,
    case
      when v_inherited is not null then format('login "%s" has the rights of %s without SET ROLE', session_user, v_inherited)
      else 'a request has the rights of its token and no others'
    end,
    case when v_inherited is not null and not v_login.rolsuper then
      format('alter role %I noinherit; since PostgreSQL 16 also grant each group with inherit false.', session_user)
    end
  union all
  select
    'roles of tokens',
    case when v_missing is not null then 'warn' else 'ok' end,
    case
      when v_missing is not null then format('tokens of these roles are refused: %s', v_missing)
      else 'tokens of every role are served'
    end,
    case when v_missing is not null then format('grant %s to %I; if they are to be served.', v_missing, session_user) end;
end;
$$;

comment on function tasker.check_server_login is
$$Returns whether "tasker serve" can use the login role (session_user) safely: whether it is no superuser and inherits
no rights, and which roles its tokens can have.$$;

grant execute on function tasker.check_server_login to tasker_server;
