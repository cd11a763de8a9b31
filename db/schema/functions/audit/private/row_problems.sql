create or replace function tasker.row_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
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
          where d.satisfies_dependencies and tasker.condition_holds(e.condition, tasker.edge_result(e.condition, p.results, p.expansion, p.task_uuid, p.step_no))
        ) as satisfied
      from tasker.workflow_step_edges as e
      join tasker.workflow_steps as p
        on p.task_uuid = e.task_uuid
       and p.step_no = e.from_step_no
      join tasker.step_states as d
        on d.state = p.state
      where e.task_uuid >= p_from
        and e.task_uuid < p_to
      group by e.task_uuid, e.to_step_no
    ) as c
      on c.task_uuid = s.task_uuid
     and c.to_step_no = s.step_no
   where s.task_uuid >= p_from
     and s.task_uuid < p_to
     and (s.total_parents, s.pending_parents, s.satisfied_parents)
         is distinct from (coalesce(c.total, 0), coalesce(c.pending, 0), coalesce(c.satisfied, 0))
  union all
  -- The claim number is never below one in the log.
  select l.task_uuid, l.step_no, null, 'workflow_steps',
         format('is at claim number %s; its log has %s', s.claim_no, l.claim_no)
    from (
      select m.task_uuid, m.step_no, max(m.claim_no) as claim_no
        from tasker.workflow_step_transition_log as m
       where m.task_uuid >= p_from
         and m.task_uuid < p_to
       group by m.task_uuid, m.step_no
    ) as l
    join tasker.workflow_steps as s
      on s.task_uuid = l.task_uuid
     and s.step_no = l.step_no
   where s.claim_no < l.claim_no
  union all
  -- Results are those that were recorded last.
  select s.task_uuid, s.step_no, l.sort_key, 'workflow_steps', 'has other results than those recorded'
    from tasker.workflow_steps as s
    left join lateral (
      select m.sort_key, m.result_digest
        from tasker.workflow_step_transition_log as m
       where m.task_uuid = s.task_uuid
         and m.step_no = s.step_no
         and m.result_digest is not null
       order by m.sort_key desc
       limit 1
    ) as l on true
   where s.task_uuid >= p_from
     and s.task_uuid < p_to
     and l.result_digest is distinct from tasker.result_digest(s.results)
  union all
  -- No history, step or edge refers to a missing row.
  select l.task_uuid, null, min(l.sort_key), 'task_transition_log', 'is the history of a task that does not exist'
    from tasker.task_transition_log as l
   where l.task_uuid >= p_from
     and l.task_uuid < p_to
     and not exists (select from tasker.tasks as t where t.task_uuid = l.task_uuid)
   group by l.task_uuid
  union all
  select l.task_uuid, l.step_no, min(l.sort_key), 'workflow_step_transition_log', 'is the history of a step that does not exist'
    from tasker.workflow_step_transition_log as l
   where l.task_uuid >= p_from
     and l.task_uuid < p_to
     and not exists (select from tasker.workflow_steps as s where s.task_uuid = l.task_uuid and s.step_no = l.step_no)
   group by l.task_uuid, l.step_no
  union all
  select s.task_uuid, s.step_no, null, 'workflow_steps', 'is a step of a task that does not exist'
    from tasker.workflow_steps as s
   where s.task_uuid >= p_from
     and s.task_uuid < p_to
     and not exists (select from tasker.tasks as t where t.task_uuid = s.task_uuid)
  union all
  -- An identity leads to the task that was created under it.
  select t.task_uuid, null, null, 'task_identities', 'leads to a task that was created under another identity'
    from tasker.task_identities as i
    join tasker.tasks as t
      on t.task_uuid = i.task_uuid
   where i.task_uuid >= p_from
     and i.task_uuid < p_to
     and i.identity_hash is distinct from t.identity_hash;
end;
$$;

comment on function tasker.row_problems(uuid, uuid) is
$$Finds rows of some tasks that contradict one another: counters, parents, claim numbers, results, identities, and history or steps without their task or step.$$;

revoke all on function tasker.row_problems(uuid, uuid) from public;
