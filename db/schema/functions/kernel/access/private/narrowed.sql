create or replace function tasker.narrowed(p_namespaces text[], p_others text[])
  returns text[]
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_namespaces is null or p_others is null then
    return coalesce(p_namespaces, p_others);
  end if;
  return array(select unnest(p_namespaces) intersect select unnest(p_others) order by 1);
end;
$$;

comment on function tasker.narrowed is
$$Returns the namespaces that are in both lists. Null means all namespaces.$$;
