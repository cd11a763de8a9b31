create or replace function tasker.held_partitions()
  returns setof tasker.held_partitions
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select h.*
    from tasker.partition_config as c
    join tasker.partition_ranges as r
      on r.ends_at <= tasker.clock() - c.retention
   cross join lateral tasker.partition_hold(r) as h
   order by r.starts_at;
end;
$$;

comment on function tasker.held_partitions is
$$Returns the ranges past their retention that may not be dropped, with the reason. The reason is a task that has not
ended, is under investigation or is younger than its range, or whose notes to other tasks have not been fired.

A range may be dropped when these tasks have ended, or after tasker.evacuate_partition.$$;

grant execute on function tasker.held_partitions
  to tasker_orchestrator, tasker_operator, tasker_reader;
