create or replace function tasker.analyze_growth()
  returns setof tasker.growth_analyses
  language plpgsql
  stable
  rows 1
  security definer
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_config  tasker.partition_config;
  v_growth  tasker.growth_analyses;
  v_since   timestamptz;
  v_first   timestamptz;
  v_recent  numeric;
  v_bytes   numeric;
begin
  select c.* into strict v_config from tasker.partition_config as c;
  v_growth.partition_unit := tasker.partition_unit(v_config.partition_interval);

  -- The period begins with the first task, but at most thirty days ago. The key leads to the first task.
  select tasker.uuid_v7_time(t.task_uuid) into v_first from tasker.tasks as t order by t.task_uuid limit 1;
  v_since := greatest(v_first, tasker.clock() - interval '30 days');
  v_growth.days_observed := round(
    greatest(extract(epoch from tasker.clock() - v_since) / 86400, 1.0 / 24), 3
  );

  -- This assumes that the tasks of a range are spread evenly over the part of the range that has passed.
  select
    coalesce(sum(s.tasks), 0),
    coalesce(sum(s.steps), 0),
    coalesce(sum(s.bytes), 0),
    coalesce(sum(s.tasks * p.share), 0),
    coalesce(sum(s.bytes * p.share), 0)
  into v_growth.tasks, v_growth.steps, v_growth.bytes, v_recent, v_bytes
  from tasker.partition_sizes() as s
  cross join lateral (
    select case
      when least(s.ends_at, tasker.clock()) > greatest(s.starts_at, v_since) then
        extract(epoch from least(s.ends_at, tasker.clock()) - greatest(s.starts_at, v_since))
        / greatest(extract(epoch from least(s.ends_at, tasker.clock()) - greatest(s.starts_at, v_first)), 1)
      else 0
    end
  ) as p (share);

  v_growth.tasks_per_day := round(v_recent / coalesce(v_growth.days_observed, 1), 1);
  v_growth.bytes_per_day := round(v_bytes / coalesce(v_growth.days_observed, 1), 0);
  v_growth.days_observed := coalesce(v_growth.days_observed, 0);
  v_growth.recommended_unit := case
    when v_growth.tasks_per_day > 1000000 then 'day'
    when v_growth.tasks_per_day >= 100000 then 'week'
    else 'month'
  end;
  v_growth.ranges_then := ceil(
    extract(epoch from v_config.retention) / extract(epoch from ('1 ' || v_growth.recommended_unit)::interval)
  ) + 1 + v_config.premake;
  v_growth.bytes_then := round(v_growth.bytes_per_day * extract(epoch from v_config.retention) / 86400, 0);

  v_growth.advice := case
    when v_first is null then
      'there are no tasks yet'
    when v_growth.days_observed < 1 then
      format('too early to tell: the first task is %s hours old', round(v_growth.days_observed * 24, 1))
    when v_growth.recommended_unit = v_growth.partition_unit then
      format('%s tasks a day suit ranges of one %s', v_growth.tasks_per_day, v_growth.partition_unit)
    else
      format(
        '%s tasks a day call for ranges of one %s: tasker.setup_partitioning(''1 %s'')',
        v_growth.tasks_per_day, v_growth.recommended_unit, v_growth.recommended_unit
      )
  end;
  return next v_growth;
end;
$$;

comment on function tasker.analyze_growth is
$$Returns by how many tasks and bytes a day the run tables grew over the last thirty days, which interval of ranges
suits this growth, and how much retention will then keep. The interval is a day for more than a million tasks a day, a
week for 100,000 tasks a day or more, and otherwise a month.

Estimates from the server's statistics and reads only one row.$$;

grant execute on function tasker.analyze_growth to tasker_orchestrator, tasker_operator, tasker_reader;
