create or replace function tasker.list_partition_ranges()
  returns setof tasker.partition_ranges
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select r.*
    from tasker.partition_ranges as r
   order by r.starts_at;
end;
$$;

comment on function tasker.list_partition_ranges is
$$Returns the existing ranges, oldest first. If no later range exists, the last range also takes all new tasks after its
end.$$;

grant execute on function tasker.list_partition_ranges
  to tasker_orchestrator, tasker_operator, tasker_reader;
