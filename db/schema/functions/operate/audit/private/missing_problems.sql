create or replace function tasker.missing_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  -- The settled totals say how many transitions existed.
  select null::uuid, null::integer, null::integer, 'task_transition_log',
         format('lacks transitions of partition %s: %s tasks were started there, its log has %s', c.suffix, c.counted, c.logged)
    from (
      select
        r.suffix,
        coalesce((
          select sum(t.started)
            from tasker.task_totals as t
           where t.partition_suffix = r.suffix
             and t.settled
        ), 0) as counted,
        (
          select count(*)
            from tasker.task_transition_log as l
           where l.task_uuid >= r.from_uuid
             and l.task_uuid < r.to_uuid
             and l.event = 'Start'
        ) as logged
      from tasker.partition_ranges as r
      where r.from_uuid >= p_from
        and r.to_uuid <= p_to
    ) as c
   where c.counted > c.logged
  union all
  -- The identity of a task exists while the task exists. If a later range was dropped, the identity may have been
  -- deleted with a later task.
  select t.task_uuid, null, null, 'tasks', 'lacks its identity'
    from tasker.tasks as t
    join tasker.partition_ranges as r
      on t.task_uuid >= r.from_uuid
     and t.task_uuid < r.to_uuid
     and not exists (
       select
         from tasker.partition_ranges as n
        where n.from_uuid >= r.to_uuid
          and (n.evacuations > 0 or not exists (select from tasker.partition_ranges as b where b.to_uuid = n.from_uuid))
     )
   where t.task_uuid >= p_from
     and t.task_uuid < p_to
     and t.identity_hash is not null
     and not exists (select from tasker.task_identities as i where i.identity_hash = t.identity_hash)
  union all
  -- Tasks are dropped with their partition, and their identities are deleted later.
  select i.task_uuid, null, null, 'task_identities', 'leads to a task that does not exist, in a partition that does'
    from tasker.task_identities as i
    join tasker.partition_ranges as r
      on i.task_uuid >= r.from_uuid
     and i.task_uuid < r.to_uuid
     -- An evacuation drops tasks that have ended. Their identities are deleted later.
     and r.evacuations = 0
   where i.task_uuid >= p_from
     and i.task_uuid < p_to
     and not exists (select from tasker.tasks as t where t.task_uuid = i.task_uuid);
end;
$$;

comment on function tasker.missing_problems is
$$Finds tasks and logs that were deleted together, by the totals and identities that they left.$$;
