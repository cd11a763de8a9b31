create or replace function tasker.bind_sql_role(
  p_namespace  text,
  p_role_name  text,
  p_actor      text  default null,
  p_reason     text  default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_role    oid  := to_regrole(quote_ident(left(p_role_name, 64)));
  v_set     text := case when current_setting('server_version_num')::integer >= 160000 then 'set' else 'member' end;
  v_problem text;
  v_before  oid;
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_namespace_exists(p_namespace);
  perform tasker.administer(p_actor, p_reason);
  if v_role is null or length(p_role_name) > 63 then
    raise exception using
      errcode = 'TK404',
      message = format('role %s does not exist', coalesce('"' || left(p_role_name, 100) || '"', 'null')),
      hint    = 'Create it for the SQL steps of this namespace, with the rights that they need and no others.';
  end if;

  v_problem := case
    when tasker.sql_role_problem(v_role) is not null then tasker.sql_role_problem(v_role)
    when tasker.bound_namespaces() is not null and not pg_has_role(tasker.caller_name()::name, v_role, v_set)
      then 'is none that the caller, who is bound to namespaces, may act as'
    when not pg_has_role('tasker_owner', v_role, v_set) then 'has not been granted to tasker_owner'
  end;
  if v_problem is not null then
    raise exception using
      errcode = 'TK403',
      message = format('SQL steps cannot run as role "%s": it %s', p_role_name, v_problem),
      hint    = case
        when v_problem like 'has not%' then format('A role that may grant it agrees by: grant %I to tasker_owner;', p_role_name)
        else 'Create a role of its own for them.'
      end;
  end if;

  perform tasker.take_turn('role_bindings');
  select r.role into v_before from tasker.sql_roles as r where r.namespace = p_namespace;
  insert into tasker.sql_roles as r (namespace, role)
  values (p_namespace, v_role)
  on conflict (namespace) do update
     set role     = excluded.role,
         bound_at = excluded.bound_at,
         bound_by = excluded.bound_by
   where r.role <> excluded.role;
  -- The lock keeps the namespace's transport unchanged until this transaction ends. After that, the bound role prevents a
  -- transport that cannot carry SQL steps.
  perform from tasker.task_namespaces as n where n.name = p_namespace for share;
  perform tasker.check_sql_transport(p_namespace);

  -- PostgreSQL refuses SET ROLE inside security definer functions. So the call stands in a function of its own, which
  -- belongs to the role and is itself a security definer function. Every role may execute this function, because only
  -- tasker_owner may use its schema.
  if exists (select from pg_proc as p where p.pronamespace = 'tasker_sql'::regnamespace and p.proname = p_namespace) then
    execute format('drop function tasker_sql.%I(text, jsonb)', p_namespace);
  end if;
  execute format(
    $function$
    create function tasker_sql.%I(p_call text, p_input jsonb)
      returns jsonb
      language plpgsql
      security definer
      set search_path = pg_catalog, pg_temp
    as $body$
    declare
      v_result jsonb;
    begin
      execute p_call into v_result using p_input;
      return v_result;
    end;
    $body$
    $function$, p_namespace
  );
  execute format('comment on function tasker_sql.%I is %L', p_namespace, format('Calls the functions of SQL steps of namespace "%s".', p_namespace));
  execute format('grant execute on function tasker_sql.%I to public', p_namespace);
  execute format('grant create on schema tasker_sql to %s', v_role::regrole);
  execute format('alter function tasker_sql.%I(text, jsonb) owner to %s', p_namespace, v_role::regrole);
  execute format('revoke create on schema tasker_sql from %s', v_role::regrole);
  return v_before is distinct from v_role;
end;
$$;

comment on function tasker.bind_sql_role is
$$Binds the role that the SQL steps of a namespace run as. Creates a function in the schema tasker_sql that belongs to this role and calls the functions of the steps. Returns true if another role or no role was bound before.

The role must be granted to tasker_owner; with this grant the role's administrator agrees. The role must not be a superuser, a member of tasker_owner or one of pgtasker's groups, and must not have rights over the server or over tables of other roles. A caller that is bound to namespaces can bind only a role that the caller may act as. Idempotent. Locks the row "role_bindings" of tasker.turns, so that calls run one at a time, then the namespace's row for share. Raises TK404 if there is no such namespace or role, TK403 if SQL steps cannot run as the role or if the caller is bound to other namespaces, TK409 if a broker carries the steps of the namespace or another call does not end in time.$$;

grant execute on function tasker.bind_sql_role to tasker_operator;
