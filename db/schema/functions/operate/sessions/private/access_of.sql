create or replace function tasker.access_of(p_claims jsonb)
  returns setof tasker.access_map_details
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_groups regrole[] := '{tasker_operator,tasker_orchestrator,tasker_worker,tasker_submitter,tasker_reader}';
begin
  return query
  with given as (
    select m.*,
           (
             select min(g.no)
               from unnest(v_groups) with ordinality as g (role, no)
              where m.role = g.role
                 or exists (select from pg_auth_members as a where a.member = m.role and a.roleid = g.role)
           ) as rank
      from tasker.access_maps as m
     cross join lateral (select p_claims -> m.claim as value) as c
     where c.value is not null
       and (m.value = '*' or c.value ? m.value or (jsonb_typeof(c.value) in ('number', 'boolean') and c.value #>> '{}' = m.value))
       and tasker.token_role_problem(m.role) is null
  ),
  chosen as (
    select g.role
      from given as g
     order by g.rank, pg_get_userbyid(g.role)
     limit 1
  )
  select
    '', '', pg_get_userbyid(c.role)::text,
    case when bool_or(g.namespaces = '{*}') then '{*}' else array(
      select distinct u.namespace
        from given as s
       cross join unnest(s.namespaces) as u (namespace)
       where s.role = c.role
       order by u.namespace
    ) end,
    max(g.created_at), ''
    from chosen as c
    join given as g
      on g.role = c.role
   group by c.role;
end;
$$;

comment on function tasker.access_of is
$$Returns the role and the namespaces that the access maps give to a person with these mapped claims. Returns no row if
the maps give the person no role. If several roles match, the person gets the strongest role, in the order operator,
orchestrator, worker, submitter, reader. The namespaces are the namespaces of all matching maps with this role.$$;
