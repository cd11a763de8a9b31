create or replace function tasker.explain_branch(p_task_uuid uuid, p_step_no integer)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select case
        when l.event = 'Tolerate' and s.map_no is null then format(
          ' It failed after %s attempts: %s. The task went on: %s. rerun_step runs it and all that depends on it again.',
          s.attempts, coalesce(rtrim(left(s.last_error, 200), '.'), 'no error was recorded'), l.reason
        )
        when l.event = 'Cancel' and l.reason like 'step "%" has begun with the first result' then format(' It lost a race: %s.', l.reason)
        else ''
      end
      from tasker.workflow_steps as s
     cross join lateral (
       select l.event, l.reason
         from tasker.workflow_step_transition_log as l
        where l.task_uuid = p_task_uuid
          and l.step_no = p_step_no
          and l.row_key = s.transition_count
          and l.sort_key >= l.row_key -- the last transition of its path
       offset 0
     ) as l
     where s.task_uuid = p_task_uuid
       and s.step_no = p_step_no
       and s.state = 'cancelled'
  );
end;
$$;

comment on function tasker.explain_branch is
$$Explains why a step is cancelled: it failed and another step waited for that failure, or it lost a race. Otherwise returns an empty text or null.$$;
