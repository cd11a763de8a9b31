create or replace function tasker.lock_limit(p_namespace text, p_name text)
  returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_limit_no integer;
begin
  select l.limit_no
    into v_limit_no
    from tasker.limits as l
   where l.namespace = p_namespace
     and l.name = p_name
     for key share;
  if not found then
    perform tasker.raise_limit_not_found(p_namespace, p_name);
  end if;
  return v_limit_no;
end;
$$;

comment on function tasker.lock_limit is
$$Locks a limit's row for key share, so that the limit is not deleted while one of its keys changes. Returns the limit's number. Raises TK404 if there is no such limit.$$;
