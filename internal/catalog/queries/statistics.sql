select
  d.object,
  concat_ws(' ', pg_get_statisticsobjdef(x.oid), 'statistics ' || nullif(coalesce(x.stxstattarget, -1), -1)) as line
from described as d
join pg_statistic_ext as x on x.oid = d.objid
where d.classid = 'pg_statistic_ext'::regclass
  and not exists (select from member as m where m.classid = d.classid and m.objid = d.objid)
order by d.object collate "C"
