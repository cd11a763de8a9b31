create or replace function tasklib.restrict_task(
  p_name    text,
  p_roles   text[],
  p_actor   text    default null,
  p_reason  text    default null
)
  returns setof tasklib.registered_tasks
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_role text;
begin
  perform tasker.administer(p_actor, p_reason);
  if p_roles is null then
    raise exception using
      errcode = 'TK422',
      message = 'the roles are null',
      hint    = 'An empty array lets every worker run the tasks again.';
  end if;
  select u.role
    into v_role
    from unnest(p_roles) as u (role)
   where to_regrole(quote_ident(u.role)) is null
   limit 1;
  if found then
    raise exception using
      errcode = 'TK404',
      message = format('role "%s" does not exist', left(v_role, 100)),
      hint    = 'Create it first, and grant it tasklib_worker.';
  end if;

  update tasklib.registered_tasks as r
     set allowed_roles = p_roles,
         updated_at    = tasklib.clock()
   where r.name = p_name;
  if not found then
    perform tasklib.raise_name_not_found(p_name);
  end if;
  perform tasklib.log_action('restrict', null, p_name, jsonb_build_object('roles', p_roles));
  return query select r.* from tasklib.registered_tasks as r where r.name = p_name;
end;
$$;

comment on function tasklib.restrict_task is
$$Allows only members of these roles to run the tasks of a name. An empty array allows every worker, or no worker if the setting grants_required is true. The restriction applies from the next claim or report.

Locks the name's row. Raises TK404 if the name is not registered or a role does not exist, TK422 if p_roles is null.$$;

grant execute on function tasklib.restrict_task to tasklib_operator;
