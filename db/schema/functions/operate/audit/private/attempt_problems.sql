create or replace function tasker.attempt_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  with changes as (
    select
      l.task_uuid, l.step_no, l.sort_key,
      -- After a restart by an operator the count begins again.
      count(*) filter (where l.event in ('Retry', 'Reset') and l.from_state = 'error' or l.event = 'Rerun') over (w rows unbounded preceding) as restart,
      case
        when l.event in ('Retry', 'Reset') and l.from_state = 'error' or l.event = 'Rerun' then 0
        else tasker.attempts_after(l.event, l.from_state, 1) - 1
      end as change
      from tasker.workflow_step_transition_log as l
     where l.task_uuid >= p_from
       and l.task_uuid < p_to
    window w as (partition by l.task_uuid, l.step_no order by l.sort_key)
  ),
  sums as (
    select
      c.task_uuid, c.step_no, c.sort_key, c.restart,
      sum(c.change) over (partition by c.task_uuid, c.step_no, c.restart order by c.sort_key) as attempts
      from changes as c
  ),
  -- Attempts are never below 0. Taking back an attempt from 0 changes nothing.
  counted as (
    select distinct on (u.task_uuid, u.step_no)
      u.task_uuid, u.step_no,
      u.attempts - least(0, min(u.attempts) over (partition by u.task_uuid, u.step_no, u.restart)) as attempts
      from sums as u
     order by u.task_uuid, u.step_no, u.sort_key desc
  )
  select s.task_uuid, s.step_no, null::integer, 'workflow_steps', format('has %s attempts; its log has %s', s.attempts, coalesce(c.attempts, 0))
    from tasker.workflow_steps as s
    left join counted as c
      on c.task_uuid = s.task_uuid
     and c.step_no = s.step_no
   where s.task_uuid >= p_from
     and s.task_uuid < p_to
     -- A step that starts tasks counts the attempts of these tasks, and does not start itself.
     and s.child_task_uuid is null
     -- When a durable function keeps a result, the count begins again without a transition.
     and (s.attempts > coalesce(c.attempts, 0) or s.attempts < c.attempts and s.function_round is null);
end;
$$;

comment on function tasker.attempt_problems is
$$Finds steps of the tasks between two UUIDs whose attempts differ from the count in their log.$$;
