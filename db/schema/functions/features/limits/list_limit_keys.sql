create or replace function tasker.list_limit_keys(p_namespace text, p_name text, p_limit integer default 100)
  returns setof tasker.limit_key_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_limit_no integer;
begin
  p_limit := coalesce(p_limit, 100);
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_limit(p_limit, 10000);
  select l.limit_no into v_limit_no from tasker.limits as l where l.namespace = p_namespace and l.name = p_name;
  if not found then
    perform tasker.raise_limit_not_found(p_namespace, p_name);
  end if;

  return query select k.* from tasker.describe_limit_keys(v_limit_no, null, p_limit) as k;
end;
$$;

comment on function tasker.list_limit_keys is
$$Returns at most p_limit keys of a limit: keys whose steps wait or run, and keys with bounds of their own. The keys with the longest lines of waiting steps come first.

Reads the index of all steps that wait for the limit or run under it. Raises TK404 if there is no such limit, TK422 if p_limit is out of range, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_limit_keys
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
