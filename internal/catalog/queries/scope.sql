-- The other queries begin with this text. It names the described schemas, the objects of extensions, the described
-- relations (without leaf partitions and their sequences), and all objects that have an owner.
with scope as (
  select
    n.oid,
    n.nspname
  from pg_namespace as n
  where n.nspname in ('tasker', 'tasklib', 'pgmq')
),
member as (
  select
    d.classid,
    d.objid
  from pg_depend as d
  where d.refclassid = 'pg_extension'::regclass
    and d.deptype = 'e'
),
leaf as (
  select
    c.oid
  from pg_class as c
  where c.relispartition
    and c.relkind <> 'p'
),
relation as (
  select
    c.*,
    case c.relkind
      when 'v' then 'view '
      when 'm' then 'materialized view '
      when 'S' then 'sequence '
      when 'c' then 'type '
      when 'f' then 'foreign table '
      else 'table '
    end || c.oid::regclass::text as object
  from pg_class as c
  join scope as s on s.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'S', 'c', 'f')
    and not exists (select from leaf as l where l.oid = c.oid)
    and not exists (
      select
      from member as m
      where m.classid = 'pg_class'::regclass and m.objid = c.oid
         or m.classid = 'pg_type'::regclass and m.objid = c.reltype
    )
    and not exists (
      select
      from pg_depend as d
      join leaf as l on l.oid = d.refobjid
      where c.relkind = 'S'
        and d.classid = 'pg_class'::regclass
        and d.objid = c.oid
        and d.refclassid = 'pg_class'::regclass
    )
),
described as (
  select
    'pg_namespace'::regclass as classid,
    n.oid as objid,
    'schema ' || quote_ident(n.nspname) as object,
    n.nspowner as owner,
    n.nspacl as acl,
    'n'::"char" as acl_type
  from pg_namespace as n
  join scope as s on s.oid = n.oid
  union all
  select
    'pg_class'::regclass,
    r.oid,
    r.object,
    r.relowner,
    r.relacl,
    case r.relkind when 'S' then 's' else 'r' end::"char"
  from relation as r
  where r.relkind <> 'c'
  union all
  select
    'pg_type'::regclass,
    t.oid,
    case t.typtype when 'd' then 'domain ' else 'type ' end || t.oid::regtype::text,
    t.typowner,
    t.typacl,
    'T'
  from pg_type as t
  join scope as s on s.oid = t.typnamespace
  where (t.typrelid = 0 or exists (select from relation as r where r.oid = t.typrelid and r.relkind = 'c'))
    and not exists (select from pg_type as e where e.typarray = t.oid)
  union all
  select
    'pg_proc'::regclass,
    p.oid,
    case p.prokind when 'p' then 'procedure ' when 'a' then 'aggregate ' else 'function ' end
      || p.oid::regprocedure::text,
    p.proowner,
    p.proacl,
    'f'
  from pg_proc as p
  join scope as s on s.oid = p.pronamespace
  union all
  select
    'pg_statistic_ext'::regclass,
    x.oid,
    'statistics ' || quote_ident(s.nspname) || '.' || quote_ident(x.stxname),
    x.stxowner,
    null,
    null
  from pg_statistic_ext as x
  join scope as s on s.oid = x.stxnamespace
  where not exists (select from leaf as l where l.oid = x.stxrelid)
)
