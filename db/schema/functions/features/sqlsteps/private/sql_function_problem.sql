create or replace function tasker.sql_function_problem(p_namespace text, p_function text, p_caller name default null)
  returns text[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_role     oid := (select r.role from tasker.sql_roles as r where r.namespace = p_namespace);
  v_function record;
begin
  if v_role is null then
    return array[
      'TK422', format('no role is bound for the SQL steps of namespace "%s"', p_namespace),
      'An operator binds one: select tasker.bind_sql_role(namespace, role).'
    ];
  end if;

  -- Read the catalog, because a cast to regprocedure would need a right on the schema.
  select p.oid, n.oid as schema, p.prorettype, p.prokind, p.proretset
    into v_function
    from pg_namespace as n
    join pg_proc as p
      on p.pronamespace = n.oid
     and p.proname = split_part(p_function, '.', 2)
     and p.proargtypes::text = 'jsonb'::regtype::oid::text
   where n.nspname = split_part(p_function, '.', 1);
  if not found then
    return array[
      'TK422', format('function %s(jsonb) does not exist', p_function),
      'A step calls a function with one argument of type jsonb that returns jsonb.'
    ];
  elsif (v_function.prorettype, v_function.prokind::text, v_function.proretset) <> ('jsonb'::regtype::oid, 'f', false) then
    return array[
      'TK422', format('function %s(jsonb) does not return one jsonb', p_function), 'Its result is the result of the step.'
    ];
  elsif not exists (select from pg_roles as r where r.oid = v_role) then
    return array[
      'TK422', format('the role that is bound for the SQL steps of namespace "%s" does not exist', p_namespace),
      'Bind another: select tasker.bind_sql_role(namespace, role).'
    ];
  elsif not (has_schema_privilege(v_role, v_function.schema, 'usage') and has_function_privilege(v_role, v_function.oid, 'execute')) then
    return array[
      'TK403', format('role "%s", which the SQL steps of namespace "%s" run as, may not execute %s(jsonb)', pg_get_userbyid(v_role), p_namespace, p_function),
      'Grant it usage on the schema and execute on the function.'
    ];
  elsif not (has_schema_privilege(p_caller, v_function.schema, 'usage') and has_function_privilege(p_caller, v_function.oid, 'execute')) then
    return array[
      'TK403', format('role "%s" may not execute %s(jsonb)', p_caller, p_function),
      'A step can name only a function that the role which registers it may call itself.'
    ];
  end if;
  return null;
end;
$$;

comment on function tasker.sql_function_problem is
$$Returns the reason why steps of this namespace cannot call this function, as code, message and hint, or null if they can. With p_caller, also checks whether that role may execute the function.$$;
