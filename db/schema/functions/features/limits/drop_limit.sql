create or replace function tasker.drop_limit(
  p_namespace  text,
  p_name       text,
  p_actor      text  default null,
  p_reason     text  default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_limit tasker.limits;
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.administer(p_actor, p_reason);
  select l.*
    into v_limit
    from tasker.limits as l
   where l.namespace = p_namespace
     and l.name = p_name
     for update;
  if not found then
    perform tasker.raise_limit_not_found(p_namespace, p_name);
  end if;

  delete from tasker.limit_bounds as b where b.limit_no = v_limit.limit_no;
  delete from tasker.limit_input_bounds as i where i.limit_no = v_limit.limit_no;
  if not exists (select from tasker.limit_handlers as h where h.limit_no = v_limit.limit_no) then
    delete from tasker.limits as l where l.limit_no = v_limit.limit_no;
    return true;
  end if;
  update tasker.limits as l
     set concurrency = null,
         rate        = null,
         per_seconds = 1,
         burst       = 1,
         version     = l.version + 1,
         updated_at  = tasker.clock(),
         updated_by  = tasker.actor_name(p_actor)
   where l.limit_no = v_limit.limit_no;
  perform tasker.notify_steps_ready(p_namespace);
  return false;
end;
$$;

comment on function tasker.drop_limit is
$$Removes the bounds of a limit and of its keys, so that steps that wait for the limit may start. Returns true if the limit was deleted. If handlers still use the limit, it stays without bounds, and the function returns false.

Locks the limit's row. Raises TK404 if there is no such limit, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.drop_limit to tasker_operator;
