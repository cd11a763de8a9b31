create or replace function tasker.settle_children(
  p_task_uuid  uuid,
  p_step_nos   integer[],
  p_child_no   integer  default null
)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  -- Two parents of one child may settle at once: what comes to each child is added up first. "offset 0"
  -- keeps each look a probe of the whole key, where statistics of small tasks would have a wide one's
  -- steps read for each of them.
  update tasker.workflow_steps as s
     set pending_parents   = s.pending_parents - d.settled,
         satisfied_parents = s.satisfied_parents + d.satisfied
    from (
      select
        u.task_uuid,
        e.to_step_no,
        count(*)::integer as settled,
        count(*) filter (
          where p.state in ('complete', 'resolved_manually')
            and tasker.condition_holds(e.condition, p.results)
        )::integer as satisfied
      from (select p_task_uuid, s.step_no from unnest(p_step_nos) as s (step_no) offset 0) as u (task_uuid, step_no)
      cross join lateral (
        select e.to_step_no, e.condition
          from tasker.workflow_step_edges as e
         where e.task_uuid = u.task_uuid
           and e.from_step_no = u.step_no
           and e.to_step_no = coalesce(p_child_no, e.to_step_no)
        offset 0
      ) as e
      cross join lateral (
        select p.state, p.results
          from tasker.workflow_steps as p
         where p.task_uuid = u.task_uuid
           and p.step_no = u.step_no
        offset 0
      ) as p
      group by u.task_uuid, e.to_step_no
    ) as d
   where s.task_uuid = any (array[d.task_uuid])
     and s.step_no = d.to_step_no;
end;
$$;

comment on function tasker.settle_children(uuid, integer[], integer) is
$$Counts settled steps down at their children, or at the one child named: waited for no longer, satisfied if they succeeded and the edge's condition holds.

To be called once for each edge. The caller holds the task's lock.$$;

revoke all on function tasker.settle_children(uuid, integer[], integer) from public;
