create or replace function tasker.partition_status()
  returns setof tasker.partition_statuses
  language plpgsql
  stable
  rows 1
  security definer
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_config tasker.partition_config;
  v_status tasker.partition_statuses;
begin
  select c.* into strict v_config from tasker.partition_config as c;
  v_status.partition_unit := tasker.partition_unit(v_config.partition_interval);
  v_status.premake := v_config.premake;
  v_status.retention := v_config.retention;
  select b.backend, b.reason into v_status.backend, v_status.backend_reason from tasker.partition_backend() as b;

  select count(*),
         count(*) filter (where r.starts_at > tasker.clock()),
         count(*) filter (where r.ends_at <= tasker.clock() - v_config.retention and r.kept = '{}'),
         min(r.starts_at),
         max(r.ends_at),
         coalesce(max(r.ends_at), tasker.clock()) - tasker.clock()
    into v_status.ranges, v_status.ahead, v_status.expired,
         v_status.first_starts_at, v_status.last_ends_at, v_status.covered_for
    from tasker.partition_ranges as r;

  select count(*) into v_status.held from tasker.held_partitions();
  select coalesce(sum(s.bytes), 0) into v_status.bytes from tasker.partition_sizes() as s;

  v_status.problems := tasker.partition_problems(v_status);
  v_status.healthy := cardinality(v_status.problems) = 0;
  return next v_status;
end;
$$;

comment on function tasker.partition_status is
$$Returns which manager creates the partitions and why it was chosen, how far ahead ranges reach, how many ranges are
past their retention or held, and a list of problems. Partitioning is healthy if this list is empty.$$;

grant execute on function tasker.partition_status to tasker_orchestrator, tasker_operator, tasker_reader;
