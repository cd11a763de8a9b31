create or replace function tasker.row_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  -- The claim number is never below a claim number in the log, unless the log has the largest integer.
  select l.task_uuid, l.step_no, null::integer, 'workflow_steps',
         format('is at claim number %s; its log has %s', s.claim_no, l.claim_no)
    from (
      select m.task_uuid, m.step_no, max(m.claim_no) as claim_no
        from tasker.step_log as m
       where m.task_uuid >= p_from
         and m.task_uuid < p_to
       group by m.task_uuid, m.step_no
    ) as l
    join tasker.workflow_steps as s
      on s.task_uuid = l.task_uuid
     and s.step_no = l.step_no
   where s.claim_no < l.claim_no
     and l.claim_no < 2147483647
  union all
  -- The result of a step is the result that was recorded last.
  select s.task_uuid, s.step_no, l.sort_key, 'workflow_steps', 'has other results than those recorded'
    from tasker.workflow_steps as s
    left join lateral (
      select m.sort_key, m.result_digest
        from tasker.workflow_step_transition_log as m
       where m.task_uuid = s.task_uuid
         and m.step_no = s.step_no
         -- A step that was rerun has lost its result.
         and (m.result_digest is not null or m.event = 'Rerun')
       order by m.sort_key desc
       limit 1
    ) as l on true
   where s.task_uuid >= p_from
     and s.task_uuid < p_to
     and l.result_digest is distinct from tasker.result_digest(s.results)
     and not exists (select from tasker.erasures as x where x.task_uuid = s.task_uuid)
  union all
  -- A task ended at the time of one of its transitions.
  select t.task_uuid, null, null, 'tasks', format('ended at %s, when its log has no transition', t.completed_at)
    from tasker.tasks as t
   where t.task_uuid >= p_from
     and t.task_uuid < p_to
     and t.completed_at is not null
     and not exists (
       select
         from tasker.task_log as l
        where l.task_uuid = t.task_uuid
          and l.created_at between t.completed_at - interval '1 minute' and t.completed_at + interval '1 minute'
     )
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
  -- An identity belongs to the task that was created with it.
  select t.task_uuid, null, null, 'task_identities', 'leads to a task that was created under another identity'
    from tasker.task_identities as i
    join tasker.tasks as t
      on t.task_uuid = i.task_uuid
   where i.task_uuid >= p_from
     and i.task_uuid < p_to
     and i.identity_hash is distinct from t.identity_hash;
end;
$$;

comment on function tasker.row_problems is
$$Finds rows that contradict one another: claim numbers, results, identities, and history, steps or edges whose task or
step does not exist. Checks the tasks between two UUIDs.$$;
