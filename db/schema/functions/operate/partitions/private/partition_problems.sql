create or replace function tasker.partition_problems(p_status tasker.partition_statuses)
  returns text[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_config tasker.partition_config;
begin
  select c.* into strict v_config from tasker.partition_config as c;

  return array(
    select p.problem
      from (
        select 1, case
          when p_status.covered_for <= interval '0' then
            'no partition covers the current time: new tasks go into the last one; call tasker.ensure_partitions()'
          when p_status.covered_for < least(interval '7 days', v_config.partition_interval * v_config.premake) then
            format('ranges end at %s; call tasker.ensure_partitions()', p_status.last_ends_at)
        end
        union all
        select 2, case
          when not exists (
            select
              from tasker.partition_ranges as r
             where r.starts_at <= tasker.clock()
               and r.ends_at > tasker.clock()
          ) and p_status.covered_for > interval '0' then
            'a gap between ranges covers the current time; call tasker.ensure_partitions()'
        end
        union all
        select 3, case
          when exists (
            select
              from tasker.partition_ranges as r
             where r.starts_at > tasker.clock() + make_interval(secs => tasker.setting_integer('uuid_tolerance_seconds'))
               and r.ends_at > r.starts_at + v_config.partition_interval
          ) then
            format('ranges ahead are longer than 1 %s; call tasker.setup_partitioning(''%s'') again',
                   p_status.partition_unit, v_config.partition_interval)
        end
        union all
        select 4, case
          when v_config.backend = 'pg_partman' and p_status.backend <> 'pg_partman' then
            format('pg_partman is configured, but %s', p_status.backend_reason)
          when v_config.pg_partman_problem is not null and p_status.backend = 'pg_partman' then
            p_status.backend_reason
        end
        union all
        select 5, case
          when p_status.expired > p_status.held + 1 then
            format('%s ranges are past their retention; call tasker.apply_retention()', p_status.expired - p_status.held)
        end
        union all
        select 6, case
          when p_status.held > 0 then
            format('%s ranges are past their retention but held; tasker.held_partitions() says why', p_status.held)
        end
        union all
        select 7, format('retention queued %s times in vain for range _%s', r.busy_count, r.suffix)
          from tasker.partition_ranges as r
         where r.busy_count >= 5
        union all
        select 10, format('%s tasks were copied out of the range from %s since %s, and the move has not ended; call tasker.apply_retention()', m.tasks, m.starts_at, m.begun_at)
          from tasker.kept_moves as m
         where m.begun_at < tasker.clock() - interval '1 day'
        union all
        -- Every new session loads these ranges, a few dozen catalog entries for each range.
        select 8, case
          when p_status.ranges > 100 then
            format('%s ranges: sessions need many locks and much memory; choose a longer interval or a shorter retention', p_status.ranges)
        end
        union all
        -- The retention of pg_partman does not know which tasks are open.
        select 9, format(
            'pg_partman would drop ranges of %s by itself, with open tasks in them; set retention in its part_config to null, and let tasker.apply_retention() do it',
            u.parent
          )
          from unnest(tasker.partman_retention()) as u (parent)
      ) as p (position, problem)
     where p.problem is not null
     order by p.position, p.problem
  );
end;
$$;

comment on function tasker.partition_problems is
$$Returns the problems of the ranges, each with its remedy.$$;
