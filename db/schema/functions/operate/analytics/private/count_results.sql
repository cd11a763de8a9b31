create or replace function tasker.count_results(p_since timestamptz, p_until timestamptz)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  insert into tasker.result_totals as o (named_task_uuid, results, failures, duration_ms)
  select
    r.named_task_uuid,
    sum(r.results),
    sum(r.failures),
    sum(r.duration_ms)
  from tasker.step_rollups as r
  where r.bucket >= p_since
    and r.bucket < p_until
  group by r.named_task_uuid
  on conflict (named_task_uuid) do update
     set results     = o.results + excluded.results,
         failures    = o.failures + excluded.failures,
         duration_ms = o.duration_ms + excluded.duration_ms;
end;
$$;

comment on function tasker.count_results is
$$Adds the results of the minutes in this period, which are settled, to tasker.result_totals.$$;
