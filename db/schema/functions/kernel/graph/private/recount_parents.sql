create or replace function tasker.recount_parents(p_task_uuid uuid, p_step_nos integer[])
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
        u.step_no,
        count(e.from_step_no)::integer as total,
        count(*) filter (where not e.settles)::integer as pending,
        count(*) filter (where e.satisfies)::integer as satisfied
      from unnest(p_step_nos) as u (step_no)
      left join lateral (
        select
          e.from_step_no, d.settles_dependencies as settles,
          case when e.outcome is not null then tasker.outcome_met(e.outcome, p.task_uuid, p.step_no, p.state)
            else d.satisfies_dependencies
              and tasker.condition_holds(e.condition, tasker.edge_result(e.condition, p.results, p.expansion, p.task_uuid, p.step_no))
          end as satisfies
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
           and e.to_step_no = u.step_no
        offset 0
      ) as e
        on true
      group by u.step_no
    ) as x
   -- Omit the condition on the range of the tasks, which would let the planner read all steps of the task for each
   -- step.
   where s.task_uuid = any (array[p_task_uuid])
     and s.step_no = x.step_no
     and (s.total_parents, s.pending_parents, s.satisfied_parents) <> (x.total, x.pending, x.satisfied);
end;
$$;

comment on function tasker.recount_parents is
$$Counts again the parents of these steps of a task, including steps that have lost all parents. A parent that has settled counts as settled. tasker.count_parents does the same for the steps above a number. The caller holds the task's lock.$$;
