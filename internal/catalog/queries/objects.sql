-- Owner, comment and privileges. An object whose privileges were never set is described like an object with the default
-- privileges.
select
  d.object,
  l.line
from described as d
cross join lateral (
  select
    0 as position,
    'owner ' || pg_get_userbyid(d.owner) as line
  union all
  select
    1,
    'comment ' || quote_literal(obj_description(d.objid, d.classid::regclass::text::name))
  union all
  select
    2,
    concat(
      'grant ', string_agg(a.privilege_type, ', ' order by a.privilege_type),
      ' to ', case a.grantee when 0 then 'public' else pg_get_userbyid(a.grantee)::text end,
      case when a.is_grantable then ' with grant option' end
    )
  from aclexplode(coalesce(d.acl, acldefault(d.acl_type, d.owner))) as a
  group by a.grantee, a.is_grantable
) as l
where l.line is not null
  and not exists (select from member as m where m.classid = d.classid and m.objid = d.objid)
order by d.object collate "C", l.position, l.line collate "C"
