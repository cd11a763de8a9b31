create or replace function tasker.count_parents(p_task_uuid uuid)
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
        e.to_step_no,
        count(*)::integer as total,
        count(*) filter (where not d.settles_dependencies)::integer as pending,
        count(*) filter (
          where d.satisfies_dependencies
            and tasker.condition_holds(e.condition, tasker.edge_result(e.condition, p.results, p.expansion, p.task_uuid, p.step_no))
        )::integer as satisfied
      from tasker.workflow_step_edges as e
      join tasker.workflow_steps as p
        on p.task_uuid = e.task_uuid
       and p.step_no = e.from_step_no
      join tasker.step_states as d
        on d.state = p.state
      where e.task_uuid = p_task_uuid
      group by e.to_step_no
    ) as x
   where s.task_uuid = p_task_uuid
     and s.step_no = x.to_step_no
     and (s.total_parents, s.pending_parents, s.satisfied_parents) <> (x.total, x.pending, x.satisfied);
end;
$$;

comment on function tasker.count_parents(uuid) is
$$Counts the parents of every step of a task anew. For a new task, which no other transaction sees.$$;

revoke all on function tasker.count_parents(uuid) from public;
