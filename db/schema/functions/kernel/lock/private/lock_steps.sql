create or replace function tasker.lock_steps(p_task_uuids uuid[], p_step_nos integer[])
  returns boolean[]
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select array_agg(s.locked is not null order by u.position)
      from unnest(p_task_uuids, p_step_nos) with ordinality as u (task_uuid, step_no, position)
      left join lateral (
        select true as locked
          from tasker.workflow_steps as s
         where s.task_uuid = u.task_uuid
           and s.step_no = u.step_no
           for no key update skip locked
      ) as s
        on true
  );
end;
$$;

comment on function tasker.lock_steps is
$$Locks the given steps, except steps that another transaction holds. Returns for each step whether it was locked. A transaction that holds a step without its task must not wait for another step.$$;
