create or replace function tasker.map_access(
  p_claim       text,
  p_value       text,
  p_role_name   text    default 'tasker_reader',
  p_namespaces  text[]  default '{*}',
  p_actor       text    default null,
  p_reason      text    default null
)
  returns setof tasker.access_map_details
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_role    oid := to_regrole(quote_ident(left(p_role_name, 64)));
  v_problem text;
begin
  perform tasker.check_unbound();
  perform tasker.administer(p_actor, p_reason);
  if v_role is null or length(p_role_name) > 63 then
    raise exception using
      errcode = 'TK404',
      message = format('role %s does not exist', coalesce('"' || left(p_role_name, 100) || '"', 'null')),
      hint    = 'A person has one of the roles tasker_reader, tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator.';
  end if;
  v_problem := tasker.token_role_problem(v_role);
  v_problem := case
    when p_claim is null or length(p_claim) not between 1 and 200 then 'the name of a claim has 1 to 200 characters'
    when p_value is null or length(p_value) not between 1 and 500 then 'the value of a claim has 1 to 500 characters'
    when v_problem is not null then format('a person cannot have role "%s": %s', p_role_name, v_problem)
    when p_namespaces is null or array_ndims(p_namespaces) > 1 then 'the namespaces of a person are a list'
  end;
  if v_problem is not null then
    raise exception using
      errcode = 'TK422',
      message = v_problem,
      hint    = 'See docs/howto/sign-in.md: a claim such as groups, its value, a role of pgtasker''s, namespaces or {*} for all.';
  end if;
  perform tasker.check_array_size('namespaces', cardinality(p_namespaces), 1000);
  if p_namespaces <> '{*}' then
    perform tasker.check_namespace_exists(u.namespace)
       from unnest(p_namespaces) as u (namespace);
  end if;

  return query
  insert into tasker.access_maps as m (claim, value, role, namespaces)
  values (
    p_claim, p_value, v_role::regrole,
    array(select distinct u.namespace from unnest(p_namespaces) as u (namespace) order by 1)
  )
      on conflict on constraint access_maps_pkey do update
     set role       = excluded.role,
         namespaces = excluded.namespaces,
         updated_by = excluded.updated_by
  returning m.claim, m.value, pg_get_userbyid(m.role)::text, m.namespaces, m.created_at, m.updated_by;
end;
$$;

comment on function tasker.map_access is
$$Gives people whose claim has this value a role in these namespaces. {*} means all namespaces, and an empty list means
no namespace. Replaces the earlier map of this claim and value. Existing sessions follow the new map from their next
request on. If no map named the claim before, existing sessions follow the new map only after their next refresh.

p_reason and p_actor go into the log of administration. Without p_actor, the log has the caller's role. Locks the map's
row. Raises TK404 if there is no such role or namespace, TK422 for an argument that is malformed or a role that is not
pgtasker's, and TK403 if the caller itself is bound to namespaces.$$;

grant execute on function tasker.map_access to tasker_operator;
