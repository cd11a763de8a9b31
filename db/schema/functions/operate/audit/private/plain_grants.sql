create or replace function tasker.plain_grants(p_grants aclitem[], p_owner oid)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select coalesce(string_agg(g.text, ', ' order by g.text collate "C"), '')
      from (
        select concat_ws(
          ' ', a.privilege_type, 'to', case a.grantee when 0 then 'public' else pg_get_userbyid(a.grantee) end, case when a.is_grantable then 'with grant option' end
        ) as text
          from aclexplode(p_grants) as a
         where a.grantee <> p_owner
      ) as g
  );
end;
$$;

comment on function tasker.plain_grants is
$$Returns the privileges of roles other than the owner. The privileges of the owner differ between versions of PostgreSQL.$$;
