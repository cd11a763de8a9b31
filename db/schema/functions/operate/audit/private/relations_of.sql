create or replace function tasker.relations_of(p_table text)
  returns oid[]
  language plpgsql
  stable
as $$
begin
  return array(
    select c.oid
      from (
        select tasker.administered_table(p_table)::regclass::oid as oid
        union all
        select i.inhrelid
          from pg_inherits as i
         where i.inhparent = tasker.administered_table(p_table)::regclass
      ) as p
      join pg_class as c
        on c.oid = p.oid
     where c.relkind in ('r', 'p')
  );
end;
$$;

comment on function tasker.relations_of is
$$Returns a table and its partitions. The table is in schema tasker unless its name has another schema.$$;
