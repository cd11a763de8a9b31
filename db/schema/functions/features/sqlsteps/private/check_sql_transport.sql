create or replace function tasker.check_sql_transport(p_namespace text)
  returns void
  language plpgsql
as $$
begin
  if exists (select from tasker.task_namespaces as n where n.name = p_namespace and n.transport = 'broker')
     and exists (select from tasker.sql_roles as r where r.namespace = p_namespace) then
    raise exception using
      errcode = 'TK409',
      message = format('a broker cannot carry the steps of namespace "%s" while a role is bound for its SQL steps', p_namespace),
      hint    = 'SQL steps are claimed from the queue: use another namespace for them, or call tasker.unbind_sql_role first.';
  end if;
end;
$$;

comment on function tasker.check_sql_transport is
$$Raises TK409 if a namespace has both the transport "broker" and a role for SQL steps, because SQL steps are claimed from the queue. The caller has changed the transport or the role, and holds the namespace's row.$$;
