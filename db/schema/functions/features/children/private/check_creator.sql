create or replace function tasker.check_creator(p_parent tasker.tasks, p_namespace text)
  returns void
  language plpgsql
  stable
as $$
declare
  v_bound text[];
begin
  if p_namespace <> all (p_parent.creator_namespaces) then
    raise exception using
      errcode = 'TK403',
      message = format('the session that created the task, or its schedule, may not work in namespace "%s"', p_namespace),
      detail  = format(
        'That session was restricted to %s.', coalesce(nullif(array_to_string(p_parent.creator_namespaces[:10], ', '), ''), 'no namespace')
      ),
      hint    = 'Let a session that may work in both namespaces create the task, or set the schedule.';
  end if;

  -- A task of a schedule has no login, because any session may fire the schedule.
  if p_parent.login is null or not exists (select from tasker.role_bindings) then
    return;
  end if;
  v_bound := tasker.narrowed(tasker.named_role_namespaces(p_parent.login), tasker.named_role_namespaces(p_parent.role));
  if v_bound is not null and p_namespace <> all (v_bound) then
    raise exception using
      errcode = 'TK403',
      message = format('"%s", which created the task, is not bound to namespace "%s"', coalesce(p_parent.role, p_parent.login), p_namespace),
      hint    = 'Bind the role with tasker.bind_role(), or let another role create the task.';
  end if;
end;
$$;

comment on function tasker.check_creator is
$$Raises TK403 if a task is about to start another task in this namespace, but the session or the roles that created the task, or set its schedule, may not work in this namespace.$$;
