create or replace function tasker.object_digests(p_object text default null)
  returns setof tasker.schema_objects
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set quote_all_identifiers = off
  set timezone = 'UTC'
  set datestyle = 'ISO, MDY'
  set intervalstyle = 'postgres'
  set extra_float_digits = 1
  set bytea_output = 'hex'
as $$
declare
  v_function oid := to_regprocedure(substr(p_object, 10));
begin
  return query
  with ours as materialized (
    select n.oid, n.nspname, n.nspowner, n.nspacl
      from pg_namespace as n
     where n.nspname in ('tasker', 'tasker_compat', 'tasklib')
  ),
  functions as (
    select
      -- The same text as a cast to regprocedure would give. The cast would search all functions for each function.
      format('function %I.%I(%s)', n.nspname, p.proname, replace(oidvectortypes(p.proargtypes), ', ', ',')) as object,
      concat_ws(
        '|', p.prosrc, tasker.plain_definition(pg_get_function_sqlbody(p.oid)), p.prosecdef, p.provolatile, p.proisstrict, pg_get_userbyid(p.proowner),
        pg_get_function_result(p.oid), (select string_agg(c.setting, ',' order by c.setting collate "C") from unnest(p.proconfig) as c (setting))
      ) as definition,
      tasker.plain_grants(coalesce(p.proacl, acldefault('f', p.proowner)), p.proowner) as grants
      from ours as n
      join pg_proc as p
        on p.pronamespace = n.oid
     where p_object is null or p.oid = v_function
  ),
  relations as (
    select
      case when c.relkind in ('v', 'm') then 'view ' else 'table ' end || c.oid::regclass::text as object,
      concat_ws(
        '|', c.relkind, pg_get_userbyid(c.relowner), case when c.relkind = 'v' then c.reloptions end,
        case when c.relkind in ('v', 'm') then tasker.plain_definition(pg_get_viewdef(c.oid)) end,
        (
          select string_agg(concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull), ',' order by a.attname)
            from pg_attribute as a
           where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        ),
        -- The definition of a view of one table names the columns without their table.
        (
          select string_agg(distinct concat_ws('.', d.refobjid::regclass, a.attname), ',')
            from pg_rewrite as r
            join pg_depend as d
              on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid and d.refclassid = 'pg_class'::regclass and d.refobjid <> c.oid
            left join pg_attribute as a
              on a.attrelid = d.refobjid and a.attnum = d.refobjsubid and a.attnum > 0
           where r.ev_class = c.oid
        ),
        (
          select string_agg(concat_ws(' ', k.conname, k.convalidated, tasker.plain_definition(pg_get_constraintdef(k.oid))), ',' order by k.conname)
            from pg_constraint as k
           where k.conrelid = c.oid and k.conparentid = 0 and k.contype in ('c', 'f', 'p', 'u', 'x')
        ),
        (
          select string_agg(concat_ws(' ', g.tgname, g.tgfoid::regproc, g.tgtype, g.tgenabled), ',' order by g.tgname)
            from pg_trigger as g
           where g.tgrelid = c.oid and not g.tgisinternal
        )
      ) as definition,
      concat_ws('; ', nullif(tasker.plain_grants(c.relacl, c.relowner), ''), (
        select string_agg(a.attname || ': ' || tasker.plain_grants(a.attacl, c.relowner), '; ' order by a.attname)
          from pg_attribute as a
         where a.attrelid = c.oid and a.attacl is not null
      )) as grants
      from ours as n
      join pg_class as c
        on c.relnamespace = n.oid
     where c.relkind in ('r', 'p', 'v', 'm')
       and not c.relispartition
       -- Leave out the copies of tasks that are kept longer, which become partitions.
       and not exists (select from tasker.kept_moves as m where c.relname like '%\_' || replace(m.suffix, '_', '\_'))
       and p_object is null
  )
  select o.object, md5(o.definition), o.grants
    from (
      select f.object, f.definition, f.grants from functions as f
      union all
      select r.object, r.definition, r.grants from relations as r
      union all
      select 'schema ' || n.nspname, pg_get_userbyid(n.nspowner)::text, tasker.plain_grants(n.nspacl, n.nspowner)
        from ours as n
       where p_object is null
    ) as o;
end;
$$;

comment on function tasker.object_digests is
$$Returns the digests of the functions, views, tables and schemas of pgtasker as they are now. With p_object, returns
only the row of this function. The digests do not depend on the version of PostgreSQL. Leaves out partitions, because
they are created and dropped all the time.$$;
