create or replace function tasker.mark_failures(p_named_task_uuid uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  with recursive above (step_no) as (
    select e.from_step_no
      from tasker.named_task_edges as e
     where e.named_task_uuid = p_named_task_uuid
       and e.outcome is not null
    union
    select e.from_step_no
      from above as a
     cross join lateral (
       select e.from_step_no
         from tasker.named_task_edges as e
        where e.named_task_uuid = p_named_task_uuid
          and e.to_step_no = a.step_no
       offset 0
     ) as e
  )
  update tasker.named_tasks_named_steps as s
     set effects = s.effects | 1024
    from above as a
   where s.named_task_uuid = p_named_task_uuid
     and s.step_no = a.step_no;
end;
$$;

comment on function tasker.mark_failures is
$$Marks the steps of a template whose failure another step waits for, directly or further below. Such a failure settles the step instead of blocking the task. The cost is linear in the edges above the waiting steps.$$;
