create or replace function tasker.drop_limit(p_namespace text, p_name text)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_limit tasker.limits;
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  select l.*
    into v_limit
    from tasker.limits as l
   where l.namespace = p_namespace
     and l.name = p_name
     for update;
  if not found then
    perform tasker.raise_limit_not_found(p_namespace, p_name);
  end if;

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
         updated_by  = tasker.caller_name()
   where l.limit_no = v_limit.limit_no;
  perform tasker.notify_steps_ready(p_namespace);
  return false;
end;
$$;

comment on function tasker.drop_limit is
$$Removes the bounds of a limit: steps that wait for it may start. True if the limit is gone; false if templates or steps name it, so that it stays, without bounds.

Locks the limit's row. Raises TK404 if there is no such limit, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.drop_limit to tasker_operator;
