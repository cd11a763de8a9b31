create or replace function tasker.unbind_sql_role(
  p_namespace  text,
  p_actor      text  default null,
  p_reason     text  default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_namespace_exists(p_namespace);
  perform tasker.administer(p_actor, p_reason);
  perform tasker.take_turn('role_bindings');
  delete from tasker.sql_roles as r where r.namespace = p_namespace;
  if not found then
    return false;
  end if;
  if exists (select from pg_proc as p where p.pronamespace = 'tasker_sql'::regnamespace and p.proname = p_namespace) then
    execute format('drop function tasker_sql.%I(text, jsonb)', p_namespace);
  end if;
  return true;
end;
$$;

comment on function tasker.unbind_sql_role is
$$Unbinds the role of a namespace's SQL steps. The steps stay in the queue until a role is bound again, and templates that name functions are refused. Returns false if no role was bound.

Idempotent. Locks the row "role_bindings" of tasker.turns, so that calls run one at a time. Raises TK404 if there is no such namespace, TK403 if the caller is bound to other namespaces, TK409 if another call does not end in time.$$;

grant execute on function tasker.unbind_sql_role to tasker_operator;
