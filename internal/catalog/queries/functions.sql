select
  d.object,
  case p.prokind
    when 'a' then (
      select concat_ws(' ',
        'returns', format_type(p.prorettype, null), 'sfunc', g.aggtransfn::regprocedure,
        'stype', g.aggtranstype::regtype, 'initcond ' || quote_literal(g.agginitval),
        'finalfunc ' || nullif(g.aggfinalfn, 0)::regprocedure::text,
        'combinefunc ' || nullif(g.aggcombinefn, 0)::regprocedure::text, 'parallel', p.proparallel)
      from pg_aggregate as g
      where g.aggfnoid = p.oid
    )
    else rtrim(pg_get_functiondef(p.oid), e'\n')
  end as line
from described as d
join pg_proc as p on p.oid = d.objid
where d.classid = 'pg_proc'::regclass
  and not exists (select from member as m where m.classid = d.classid and m.objid = d.objid)
order by d.object collate "C"
