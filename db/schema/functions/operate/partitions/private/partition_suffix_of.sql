create or replace function tasker.partition_suffix_of(p_partition oid, p_parent text)
  returns text
  language sql
  stable
  parallel safe
begin atomic
  select substr(c.relname::text, length(p_parent) + 2)
    from pg_catalog.pg_class as c
   where c.oid = p_partition;
end;

comment on function tasker.partition_suffix_of is
$$Returns the suffix of the range that a partition belongs to (tasker.partition_ranges.suffix), from its name.$$;
