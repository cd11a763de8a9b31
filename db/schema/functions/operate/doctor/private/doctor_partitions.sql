create or replace function tasker.doctor_partitions()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_now     timestamptz := tasker.clock();
  v_covered boolean;
  v_ahead   bigint;
  v_until   timestamptz;
  v_premake integer;
  v_behind  boolean;
  v_problem text;
begin
  select coalesce(bool_or(r.starts_at <= v_now and r.ends_at > v_now), false), count(*) filter (where r.starts_at > v_now), max(r.ends_at)
    into v_covered, v_ahead, v_until
    from tasker.partition_ranges as r;
  select c.premake,
         coalesce(v_until <= tasker.partition_floor(v_now, c.partition_interval) + c.premake * c.partition_interval, true)
    into strict v_premake, v_behind
    from tasker.partition_config as c;
  select array_to_string(s.problems, '; ') into v_problem from tasker.partition_status() as s where not s.healthy;

  return query
  select
    'partitions',
    case when not v_covered then 'fail' when v_behind or v_problem is not null then 'warn' else 'ok' end,
    case when v_covered then format('ready until %s, %s of %s ranges ahead', v_until, v_ahead, v_premake)
         else format('no partition covers the current time, %s of %s ranges ahead', v_ahead, v_premake)
    end,
    case when not v_covered or v_behind then
      'Call tasker.ensure_partitions(), and make sure that maintenance does so every day.'
    else
      v_problem
    end;
end;
$$;

comment on function tasker.doctor_partitions is
$$Checks that a partition covers the current time, that the configured number of partitions ahead exists, and that
tasker.partition_status has no other problem.$$;
