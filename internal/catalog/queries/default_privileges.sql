-- Privileges that new objects get: the default privileges of the schemas, and the default privileges of tasker_owner
-- for all schemas.
select
  concat_ws(' ', 'default privileges of', pg_get_userbyid(d.defaclrole), 'in ' || d.defaclnamespace::regnamespace::text) as object,
  concat(
    d.defaclobjtype, ': grant ', a.privilege_type,
    ' to ', case a.grantee when 0 then 'public' else pg_get_userbyid(a.grantee)::text end,
    case when a.is_grantable then ' with grant option' end
  ) as line
from pg_default_acl as d
cross join aclexplode(d.defaclacl) as a
where d.defaclnamespace in (select s.oid from scope as s)
   or d.defaclnamespace = 0 and pg_get_userbyid(d.defaclrole) = 'tasker_owner'
order by object, line
