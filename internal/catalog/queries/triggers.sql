select
  r.object,
  concat_ws(' ',
    pg_get_triggerdef(t.oid),
    case t.tgenabled when 'D' then 'disabled' when 'R' then 'on replicas' when 'A' then 'always' end,
    'comment ' || quote_literal(obj_description(t.oid, 'pg_trigger'))
  ) as line
from pg_trigger as t
join relation as r on r.oid = t.tgrelid
where not t.tgisinternal
order by r.object collate "C", t.tgname
