create or replace function tasker.object_problems()
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select
    null::uuid, null::integer, null::integer, object,
    case
      when d.definition is null then 'does not exist, which a migration made'
      when o.definition is null then 'exists, which no migration made'
      when o.definition <> d.definition then 'differs from what the migrations made'
      else format('has other privileges than the migrations gave: %s, not %s', coalesce(nullif(d.grants, ''), 'none'), coalesce(nullif(o.grants, ''), 'none'))
    end
    from tasker.schema_objects as o
    full join tasker.object_digests() as d
   using (object)
   where (o.definition, o.grants) is distinct from (d.definition, d.grants)
   order by object;
end;
$$;

comment on function tasker.object_problems is
$$Finds functions, views, tables and schemas that are not as the migrations left them: their bodies, queries, columns, constraints, triggers, options, owners and privileges.$$;
