create or replace function tasker.doctor_duties()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  -- If no worker has ever worked in this database, no duty is late.
  v_since timestamptz := (select min(w.registered_at) from tasker.workers as w);
  v_never text;
  v_late  text;
begin
  select
    string_agg(d.duty, ', ' order by d.position) filter (where d.last_finished_at is null),
    string_agg(d.duty, ', ' order by d.position) filter (where d.last_finished_at is not null)
    into v_never, v_late
    from tasker.maintenance_duties as d
   where coalesce(d.last_finished_at, v_since)
       + greatest(make_interval(secs => 3 * tasker.setting_integer(d.interval_setting)), interval '15 minutes') < tasker.clock();
  return query
  select
    'duties',
    case when v_never is null and v_late is null then 'ok' else 'warn' end,
    coalesce(
      nullif(concat_ws('; ', 'never done: ' || v_never, 'overdue: ' || v_late), ''),
      'none is overdue'
    ),
    case when v_never is not null or v_late is not null then
      'Run tasker orchestrate, or schedule all of them with tasker.setup_cron(). Workers in Go and tasker serve do partitions, rollups, statistics and schedules only; without either, call tasker.do_duties() every 15 seconds.'
    end;
end;
$$;

comment on function tasker.doctor_duties is
$$Checks whether a maintenance duty is overdue by three of its intervals plus 15 minutes, or has never run although the
first worker registered more than 15 minutes ago.$$;
