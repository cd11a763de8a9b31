create or replace function tasker.counter_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  -- For new tables the planner expects few rows. Then it would choose a nested loop that counts the parents of all
  -- steps again for each step.
  set enable_nestloop = off
as $$
begin
  return query
  -- A task's counters agree with its steps.
  select t.task_uuid, null::integer, null::integer, 'tasks',
         format(
           'counts %s steps, %s open, %s active, %s retrying, %s suspended, %s failed; its steps are %s, %s, %s, %s, %s, %s',
           t.total_steps, t.open_steps, t.active_steps, t.retrying_steps, t.suspended_steps, t.failed_steps,
           coalesce(c.total, 0), coalesce(c.open, 0), coalesce(c.active, 0), coalesce(c.retrying, 0),
           coalesce(c.suspended, 0), coalesce(c.failed, 0)
         )
    from tasker.tasks as t
    left join (
      select
        s.task_uuid,
        count(*) as total,
        count(*) filter (where not d.terminal) as open,
        count(*) filter (where d.in_processing_pipeline) as active,
        count(*) filter (where s.state = 'waiting_for_retry') as retrying,
        count(*) filter (where s.state = 'suspended') as suspended,
        count(*) filter (where d.error) as failed
      from tasker.workflow_steps as s
      join tasker.step_states as d
        on d.state = s.state
      where s.task_uuid >= p_from
        and s.task_uuid < p_to
      group by s.task_uuid
    ) as c
      on c.task_uuid = t.task_uuid
   where t.task_uuid >= p_from
     and t.task_uuid < p_to
     and (t.total_steps, t.open_steps, t.active_steps, t.retrying_steps, t.suspended_steps, t.failed_steps)
         is distinct from
         (coalesce(c.total, 0), coalesce(c.open, 0), coalesce(c.active, 0), coalesce(c.retrying, 0),
           coalesce(c.suspended, 0), coalesce(c.failed, 0))
  union all
  -- A step's counters agree with its parents.
  select s.task_uuid, s.step_no, null, 'workflow_steps',
         format(
           'counts %s parents, %s pending, %s satisfied; its parents are %s, %s, %s',
           s.total_parents, s.pending_parents, s.satisfied_parents,
           coalesce(c.total, 0), coalesce(c.pending, 0), coalesce(c.satisfied, 0)
         )
    from tasker.workflow_steps as s
    left join (
      select
        e.task_uuid,
        e.to_step_no,
        count(*) as total,
        count(*) filter (where not d.settles_dependencies) as pending,
        count(*) filter (
          where case when e.outcome is not null then tasker.outcome_met(e.outcome, p.task_uuid, p.step_no, p.state)
            else d.satisfies_dependencies
              and tasker.condition_holds(e.condition, tasker.edge_result(e.condition, p.results, p.expansion, p.task_uuid, p.step_no))
          end
        ) as satisfied
      from tasker.workflow_step_edges as e
      join tasker.workflow_steps as p
        on p.task_uuid = e.task_uuid
       and p.step_no = e.from_step_no
      join tasker.step_states as d
        on d.state = p.state
      where e.task_uuid >= p_from
        and e.task_uuid < p_to
        and p.task_uuid >= p_from
        and p.task_uuid < p_to
      group by e.task_uuid, e.to_step_no
    ) as c
      on c.task_uuid = s.task_uuid
     and c.to_step_no = s.step_no
   where s.task_uuid >= p_from
     and s.task_uuid < p_to
     and (s.total_parents, s.pending_parents, s.satisfied_parents)
         is distinct from (coalesce(c.total, 0), coalesce(c.pending, 0), coalesce(c.satisfied, 0))
     -- An erased result satisfies no condition. The function tasker.erasure_problems checks the counters of an
     -- erased task.
     and not exists (select from tasker.erasures as x where x.task_uuid = s.task_uuid);
end;
$$;

comment on function tasker.counter_problems is
$$Finds tasks in a range whose counters do not agree with their steps, and steps whose counters do not agree with their parents.$$;
