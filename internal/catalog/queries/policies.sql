select
  r.object,
  concat_ws(' ',
    'policy', quote_ident(p.polname),
    case when p.polpermissive then 'permissive' else 'restrictive' end,
    'for ' || p.polcmd::text,
    'to ' || array_to_string(array(
      select case u.oid when 0 then 'public' else pg_get_userbyid(u.oid)::text end
      from unnest(p.polroles) as u (oid)
      order by 1
    ), ', '),
    'using ' || pg_get_expr(p.polqual, p.polrelid),
    'with check ' || pg_get_expr(p.polwithcheck, p.polrelid),
    'comment ' || quote_literal(obj_description(p.oid, 'pg_policy'))
  ) as line
from pg_policy as p
join relation as r on r.oid = p.polrelid
order by r.object collate "C", p.polname
