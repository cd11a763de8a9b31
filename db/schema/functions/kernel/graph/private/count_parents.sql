create or replace function tasker.count_parents(p_task_uuid uuid, p_after integer)
  returns void
  language plpgsql
as $$
begin
  update tasker.workflow_steps as s
     set total_parents     = x.total,
         pending_parents   = x.pending,
         satisfied_parents = x.satisfied
    from (
      select
        e.task_uuid,
        e.to_step_no,
        count(*)::integer as total,
        count(*) filter (where not d.settles_dependencies)::integer as pending,
        count(*) filter (
          where case when e.outcome is not null then tasker.outcome_met(e.outcome, p.task_uuid, p.step_no, p.state)
            else d.satisfies_dependencies
              and tasker.condition_holds(e.condition, tasker.edge_result(e.condition, p.results, p.expansion, p.task_uuid, p.step_no))
          end
        )::integer as satisfied
      from tasker.workflow_step_edges as e
     cross join lateral (
       select p.*
         from tasker.workflow_steps as p
        where p.task_uuid = e.task_uuid
          and p.step_no = e.from_step_no
       offset 0
     ) as p
     cross join lateral (
       select d.settles_dependencies, d.satisfies_dependencies
         from tasker.step_states as d
        where d.state = p.state
       offset 0
     ) as d
      where e.task_uuid = p_task_uuid
        and e.to_step_no > p_after
      group by e.task_uuid, e.to_step_no
    ) as x
   -- Omit the condition on the range of the tasks, which would let the planner read all steps of the task for each
   -- step.
   where s.task_uuid = any (array[x.task_uuid])
     and s.step_no = x.to_step_no
     and (s.total_parents, s.pending_parents, s.satisfied_parents) <> (x.total, x.pending, x.satisfied);
end;
$$;

comment on function tasker.count_parents is
$$Counts again the parents of those steps of a task whose numbers are above p_after. A parent that has settled counts as settled. The caller holds the task's lock, or no other transaction sees the task.$$;
