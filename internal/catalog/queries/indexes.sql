select
  r.object,
  concat_ws(' ',
    'index', pg_get_indexdef(i.indexrelid),
    case when i.indisclustered then 'clustered' end,
    case when i.indisreplident then 'replica identity' end,
    case when not i.indisvalid then 'invalid' end,
    'comment ' || quote_literal(obj_description(i.indexrelid, 'pg_class'))
  ) as line
from pg_index as i
join pg_class as c on c.oid = i.indexrelid
join relation as r on r.oid = i.indrelid
order by r.object collate "C", c.relname
