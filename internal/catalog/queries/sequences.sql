select
  r.object,
  concat_ws(' ',
    'as', q.seqtypid::regtype, 'start', q.seqstart, 'increment', q.seqincrement,
    'from', q.seqmin, 'to', q.seqmax, 'cache', q.seqcache, case when q.seqcycle then 'cycle' end,
    (
      select 'owned by ' || d.refobjid::regclass::text || '.' || quote_ident(a.attname)
      from pg_depend as d
      join pg_attribute as a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
      where d.classid = 'pg_class'::regclass
        and d.objid = r.oid
        and d.refclassid = 'pg_class'::regclass
        and d.deptype in ('a', 'i')
    )
  ) as line
from pg_sequence as q
join relation as r on r.oid = q.seqrelid
order by r.object collate "C"
