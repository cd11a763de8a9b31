create or replace function tasker.partition_hold(p_range tasker.partition_ranges)
  returns setof tasker.held_partitions
  language plpgsql
  stable
  rows 1
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_hold  tasker.held_partitions;
  v_noted bigint;
begin
  select count(*) filter (where h.kind = 'open'),
         count(*) filter (where h.kind = 'investigated'),
         count(*) filter (where h.kind = 'young'),
         count(*) filter (where h.kind = 'noted'),
         (array_agg(h.task_uuid order by h.task_uuid))[1]
    into v_hold.open_tasks, v_hold.investigations, v_hold.young_tasks, v_noted, v_hold.first_task
    from tasker.range_holds(p_range) as h;

  if v_hold.first_task is null then
    return;
  end if;
  v_hold.starts_at := p_range.starts_at;
  v_hold.ends_at := p_range.ends_at;
  v_hold.reason := 'tasks: ' || concat_ws(
    ', ',
    nullif(v_hold.open_tasks, 0) || ' not ended',
    nullif(v_hold.investigations, 0) || ' under investigation',
    nullif(v_hold.young_tasks, 0) || ' younger than the range',
    nullif(v_noted, 0) || ' with a note to another task'
  );
  return next v_hold;
end;
$$;

comment on function tasker.partition_hold is
$$Returns why a range may not be dropped. Returns no row if the range may be dropped.$$;
