create or replace function tasker.list_access_maps()
  returns setof tasker.access_map_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_unbound();
  return query
  select m.claim, m.value, pg_get_userbyid(m.role)::text, m.namespaces, m.created_at, m.updated_by
    from tasker.access_maps as m
   order by m.claim, m.value;
end;
$$;

comment on function tasker.list_access_maps is
$$Returns the access maps, by claim and value. Raises TK403 if the caller is bound to namespaces.$$;

grant execute on function tasker.list_access_maps to tasker_operator;
