create or replace function tasker.partition_sizes()
  returns setof tasker.partition_sizes
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
begin
  return query
  select
    r.starts_at,
    r.ends_at,
    r.suffix,
    case
      when r.starts_at > tasker.clock() then 'ahead'
      when r.ends_at > tasker.clock() then 'current'
      when r.ends_at > tasker.clock() - c.retention then 'kept'
      when h.reason is not null then 'held'
      when r.kept <> '{}' then 'kept'
      when r.retry_at > tasker.clock() then 'busy'
      else 'expired'
    end,
    s.tasks,
    s.steps,
    s.bytes,
    coalesce(
      h.reason,
      case when r.retry_at > tasker.clock() then format('retention tries again at %s', r.retry_at) end,
      case when m.tasks is not null then format('%s tasks that are kept longer were copied', m.tasks) end,
      case when r.kept <> '{}' then 'only tasks that are kept longer' end,
      case when r.evacuations > 0 then 'only tasks that held it' end
    )
  from tasker.partition_config as c
  cross join tasker.partition_ranges as r
  cross join lateral (
    select
      coalesce(sum(tasker.estimated_rows(n.leaf)) filter (where t.table_name = 'tasks'), 0)::bigint,
      coalesce(sum(tasker.estimated_rows(n.leaf)) filter (where t.table_name = 'workflow_steps'), 0)::bigint,
      coalesce(sum(pg_total_relation_size(n.leaf)), 0)::bigint
    from tasker.partitioned_tables as t
    cross join lateral to_regclass(format('tasker.%I', t.table_name || '_' || r.suffix)) as n (leaf)
  ) as s (tasks, steps, bytes)
  left join tasker.kept_moves as m
    on m.starts_at = r.starts_at
  left join lateral tasker.partition_hold(r) as h
    on r.ends_at <= tasker.clock() - c.retention
  order by r.starts_at;
end;
$$;

comment on function tasker.partition_sizes is
$$Returns every range with its size, its estimated rows, its status ("ahead", "current", "kept", "expired", "held" or
"busy") and the reason if it is held.

The number of rows is an estimate from the server's statistics. Only the tasks that hold an expired range are counted
exactly.$$;

grant execute on function tasker.partition_sizes to tasker_orchestrator, tasker_operator, tasker_reader;
