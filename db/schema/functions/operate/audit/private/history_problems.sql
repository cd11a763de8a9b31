create or replace function tasker.history_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select l.task_uuid, null::integer, l.sort_key, 'task_transition_log',
         format('starts from %s, but the transition before it ended in %s', l.from_state, l.state_before)
    from (
      select
        l.*,
        lag(l.to_state, 1, 'pending') over w as state_before,
        row_number() over w as place
      from tasker.task_transition_log as l
      where l.task_uuid >= p_from
        and l.task_uuid < p_to
      window w as (partition by l.task_uuid order by l.sort_key)
    ) as l
   where l.from_state <> l.state_before
      or l.sort_key <> l.place
  union all
  select t.task_uuid, null, t.transition_count, 'tasks',
         format('is %s after %s transitions, but its log ends in %s', t.state, t.transition_count, coalesce(l.to_state::text, 'no state'))
    from tasker.tasks as t
    left join (tasker.task_log as r join tasker.task_log_paths as l on l.path = r.path and l.after = 0)
      on r.task_uuid = t.task_uuid
     and r.sort_key = t.transition_count
   where t.task_uuid >= p_from
     and t.task_uuid < p_to
     and t.state is distinct from coalesce(
       l.to_state, case when t.transition_count = 0 then 'pending'::tasker.task_state end
     )
  union all
  select l.task_uuid, l.step_no, l.sort_key, 'workflow_step_transition_log',
         format('starts from %s, but the transition before it ended in %s', l.from_state, l.state_before)
    from (
      select
        l.*,
        lag(l.to_state, 1, 'pending') over w as state_before,
        row_number() over w as place
      from tasker.workflow_step_transition_log as l
      where l.task_uuid >= p_from
        and l.task_uuid < p_to
      window w as (partition by l.task_uuid, l.step_no order by l.sort_key)
    ) as l
   where l.from_state <> l.state_before
      or l.sort_key <> l.place
  union all
  select s.task_uuid, s.step_no, s.transition_count, 'workflow_steps',
         format('is %s after %s transitions, but its log ends in %s', s.state, s.transition_count, coalesce(l.to_state::text, 'no state'))
    from tasker.workflow_steps as s
    left join (tasker.step_log as r join tasker.step_log_paths as l on l.path = r.path and l.after = 0)
      on r.task_uuid = s.task_uuid
     and r.step_no = s.step_no
     and r.sort_key = s.transition_count
   where s.task_uuid >= p_from
     and s.task_uuid < p_to
     and s.state is distinct from coalesce(
       l.to_state, case when s.transition_count = 0 then 'pending'::tasker.step_state end
     );
end;
$$;

comment on function tasker.history_problems is
$$Finds tasks and steps whose log is not a path to their state: a transition is missing, was added or was changed, at
the beginning, in the middle or at the end. Checks the tasks between two UUIDs.$$;
