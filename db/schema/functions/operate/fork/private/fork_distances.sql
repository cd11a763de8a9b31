create or replace function tasker.fork_distances(p_old tasker.tasks, p_named_task_uuid uuid, p_same integer[], p_from integer)
  returns integer[]
  language plpgsql
  stable
as $$
declare
  v_new   integer := cardinality(p_same);
  v_old   integer := (select max(s.step_no) from tasker.workflow_steps as s where s.task_uuid = p_old.task_uuid);
  v_nodes integer[];
  v_again integer[];
  v_step  record;
  v_from  integer[];
  v_to    integer[];
begin
  -- The graph combines the graphs of both tasks. A step of the old task has the node of the step with the same name in
  -- the new version, and an instance has the node of its map. All other steps get nodes after the nodes of the version.
  v_nodes := array(select v_new + n.no from generate_series(1, v_old) as n (no));
  for v_no in 1 .. v_new loop
    if p_same[v_no] > 0 then
      v_nodes[p_same[v_no]] := v_no;
    end if;
  end loop;
  for v_step in
    select s.step_no, s.map_no
      from tasker.workflow_steps as s
     where s.task_uuid = p_old.task_uuid
       and s.map_no is not null
  loop
    v_nodes[v_step.step_no] := v_nodes[v_step.map_no];
  end loop;

  -- If only one step was cancelled, other steps may have continued without it.
  v_again := array(
    select distinct u.no
      from (
        select p_from as no
        union all
        select v_nodes[n.step_no] from unnest(tasker.undone_steps(p_old.task_uuid)) as n (step_no)
        union all
        select v_nodes[s.step_no]
          from tasker.workflow_steps as s
         where s.task_uuid = p_old.task_uuid
           and s.state = 'cancelled'
           and s.map_no is null
           and not tasker.is_taken_over(s)
           and exists (
             select
               from tasker.step_children(p_old.task_uuid, p_old.named_task_uuid, p_old.has_added_edges, s.step_no) as e
              cross join lateral (
                select
                  from tasker.workflow_steps as c
                 where c.task_uuid = p_old.task_uuid
                   and c.step_no = e.to_step_no
                   and c.state in ('complete', 'resolved_manually')
                offset 0
              ) as c
           )
      ) as u
  );

  select coalesce(array_agg(e.from_no), '{}'), coalesce(array_agg(e.to_no), '{}')
    into v_from, v_to
    from (
      select e.from_step_no as from_no, e.to_step_no as to_no
        from tasker.named_task_edges as e
       where e.named_task_uuid = p_named_task_uuid
      union all
      select v_nodes[e.from_step_no], v_nodes[e.to_step_no]
        from tasker.workflow_step_edges as e
       where e.task_uuid = p_old.task_uuid
    ) as e;
  return (tasker.graph_distances(v_new + v_old, v_again, v_from, v_to))[: v_new];
end;
$$;

comment on function tasker.fork_distances is
$$Returns for each step number of a version the distance of the step from a step above it that a fork has to run. Such a
step is p_from, or a step of the task that was undone (tasker.undone_steps), and has the distance 0. A step that is
below none of these steps has -1, and a fork does not run it again. A step is below another step if it is so in the
graph of the version or in the graph of the task.

p_same is the result of tasker.same_step_nos for the task's template and the version. The cost is linear in the number
of steps and edges.$$;
