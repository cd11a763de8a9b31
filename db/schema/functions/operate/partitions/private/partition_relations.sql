create or replace function tasker.partition_relations(p_suffixes text[])
  returns regclass[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select array_agg(n.name::regclass order by n.leaf, t.position, n.suffix)
      from tasker.partitioned_tables as t
     cross join lateral (
       select false, '', format('tasker.%I', t.table_name)
       union all
       select true, s.suffix, format('tasker.%I', t.table_name || '_' || s.suffix)
         from unnest(p_suffixes) as s (suffix)
     ) as n (leaf, suffix, name)
  );
end;
$$;

comment on function tasker.partition_relations is
$$Returns the partitioned tables and their partitions in these ranges, in the order in which a drop locks them.$$;
