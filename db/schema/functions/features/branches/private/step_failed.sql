create or replace function tasker.step_failed(p_task_uuid uuid, p_step_no integer)
  returns boolean
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_template uuid;
  v_added    boolean;
begin
  select t.named_task_uuid, t.has_added_edges
    into v_template, v_added
    from tasker.tasks as t
   where t.task_uuid = p_task_uuid;
  return exists (
    with recursive above (step_no, event) as (
      select p_step_no, tasker.settled_by(p_task_uuid, p_step_no)
      union
      -- An edge with an outcome is not followed: a step that waits for a failure is skipped because no step failed.
      select e.from_step_no, tasker.settled_by(p_task_uuid, e.from_step_no)
        from above as a
       cross join lateral tasker.step_parents(p_task_uuid, v_template, v_added, a.step_no) as e
       where a.event = 'Skip'
         and e.outcome is null
    )
    select from above as a where a.event = 'Tolerate'
  );
end;
$$;

comment on function tasker.step_failed is
$$Returns whether a settled step failed, or was skipped because a step above it failed. The cost is linear in the skipped steps above this step.$$;
