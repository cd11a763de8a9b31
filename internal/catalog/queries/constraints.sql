-- Constraints of tables and domains. A foreign key to a partitioned table has a derived constraint for each partition of that
-- table. Derived constraints are left out.
select
  coalesce(r.object, 'domain ' || k.contypid::regtype::text) as object,
  concat_ws(' ',
    'constraint', quote_ident(k.conname), pg_get_constraintdef(k.oid),
    case when not k.convalidated then 'not validated' end,
    case when not k.conislocal then 'inherited' end,
    'comment ' || quote_literal(obj_description(k.oid, 'pg_constraint'))
  ) as line
from pg_constraint as k
left join relation as r on r.oid = k.conrelid
left join pg_type as t on t.oid = k.contypid
where (r.oid is not null or t.typnamespace in (select s.oid from scope as s))
  and not exists (select from member as m where m.classid = 'pg_type'::regclass and m.objid = k.contypid)
  and not exists (
    select
    from pg_constraint as parent
    where parent.oid = k.conparentid
      and parent.conrelid = k.conrelid
  )
order by coalesce(r.object, k.contypid::regtype::text) collate "C", k.conname
