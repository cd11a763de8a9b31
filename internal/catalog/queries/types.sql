-- The parts of types. The query of columns describes the columns of composite types.
select
  d.object,
  concat_ws(' ',
    case t.typtype
      when 'd' then concat_ws(' ',
        'over', format_type(t.typbasetype, t.typtypmod), case when t.typnotnull then 'not null' end,
        'default ' || t.typdefault)
      when 'e' then 'enum ' || (
        select string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder)
        from pg_enum as e
        where e.enumtypid = t.oid
      )
      when 'r' then 'range of ' || (
        select concat_ws(' ', g.rngsubtype::regtype, g.rngcanonical, g.rngsubdiff)
        from pg_range as g
        where g.rngtypid = t.oid
      )
      else 'kind ' || t.typtype::text
    end,
    'collate ' || (
      select o.oid::regcollation::text
      from pg_collation as o
      join pg_type as b on b.oid = t.typbasetype
      where o.oid = t.typcollation
        and o.oid <> b.typcollation
    )
  ) as line
from described as d
join pg_type as t on t.oid = d.objid
where d.classid = 'pg_type'::regclass
  and not exists (select from member as m where m.classid = d.classid and m.objid = d.objid)
order by d.object collate "C"
