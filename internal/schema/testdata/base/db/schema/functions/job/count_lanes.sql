create or replace function tasker.count_lanes()
  returns setof tasker.lane_counts
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select c.*
    from jsonb_populate_recordset(
      null::tasker.lane_counts,
      (select jsonb_agg(l) from (select j.lane, count(*) as jobs from tasker.jobs as j group by j.lane) as l)
    ) as c;
end;
$$;

comment on function tasker.count_lanes() is
  'Counts the jobs of each lane.';

revoke all on function tasker.count_lanes() from public;
