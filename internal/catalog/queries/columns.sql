-- The position counts only columns that exist now: a dropped column does not change it.
select
  r.object,
  concat_ws(' ',
    'column', row_number() over (partition by r.oid order by a.attnum), quote_ident(a.attname),
    format_type(a.atttypid, a.atttypmod),
    'collate ' || (
      select o.oid::regcollation::text
      from pg_collation as o
      join pg_type as t on t.oid = a.atttypid
      where o.oid = a.attcollation
        and o.oid <> t.typcollation
    ),
    case when a.attnotnull then 'not null' end,
    case when a.attgenerated = '' then 'default ' else 'generated ' || a.attgenerated::text || ' ' end
      || pg_get_expr(d.adbin, d.adrelid),
    'identity ' || nullif(a.attidentity::text, ''),
    'storage ' || a.attstorage::text,
    'compression ' || nullif(a.attcompression::text, ''),
    'statistics ' || nullif(coalesce(a.attstattarget, -1), -1),
    -- Skip the option pg_attver, which newer servers (seen from 15.20 on) set themselves: it differs between equal tables.
    'with ' || (
      select string_agg(u.option, ', ' order by u.option)
      from unnest(a.attoptions) as u (option)
      where u.option not like 'pg\_attver=%'
    ),
    'comment ' || quote_literal(col_description(r.oid, a.attnum)),
    (
      select string_agg(
        concat('grant ', x.privilege_type, ' to ', case x.grantee when 0 then 'public' else pg_get_userbyid(x.grantee)::text end,
          case when x.is_grantable then ' with grant option' end),
        ', ' order by x.grantee, x.privilege_type)
      from aclexplode(a.attacl) as x
    )
  ) as line
from relation as r
join pg_attribute as a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
left join pg_attrdef as d on d.adrelid = r.oid and d.adnum = a.attnum
where r.relkind <> 'S'
order by r.object collate "C", a.attnum
