create or replace function tasker.doctor_partitions()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_now     timestamptz := tasker.clock();
  v_covered boolean;
  v_ahead   bigint;
  v_until   timestamptz;
  v_premake integer;
begin
  select coalesce(bool_or(r.starts_at <= v_now and r.ends_at > v_now), false), count(*) filter (where r.starts_at > v_now), max(r.ends_at)
    into v_covered, v_ahead, v_until
    from tasker.partition_ranges as r;
  select c.premake into strict v_premake from tasker.partition_config as c;

  return query
  select
    'partitions',
    case when not v_covered then 'fail' when v_ahead < v_premake then 'warn' else 'ok' end,
    case when v_covered then format('ready until %s, %s of %s ranges ahead', v_until, v_ahead, v_premake)
         else format('no range takes the tasks of now, %s of %s ranges ahead', v_ahead, v_premake)
    end,
    case when not v_covered or v_ahead < v_premake then
      'Call tasker.ensure_partitions(), and see that housekeeping does so every day.'
    end;
end;
$$;

comment on function tasker.doctor_partitions() is
$$Whether there is a partition for the tasks of now, and as many ahead as configured.$$;

revoke all on function tasker.doctor_partitions() from public;
