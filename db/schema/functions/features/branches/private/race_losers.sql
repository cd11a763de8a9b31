create or replace function tasker.race_losers(p_task_uuid uuid, p_step_no integer)
  returns integer[]
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
  return array(
    with recursive above (step_no) as (
      select e.from_step_no
        from tasker.step_parents(p_task_uuid, v_template, v_added, p_step_no) as e
      union
      select e.from_step_no
        from above as a
       cross join lateral tasker.step_parents(p_task_uuid, v_template, v_added, a.step_no) as e
    ),
    open (step_no) as materialized (
      select a.step_no
        from above as a
       cross join lateral (
         select
           from tasker.workflow_steps as s
          where s.task_uuid = p_task_uuid
            and s.step_no = a.step_no
            and s.state not in ('complete', 'cancelled', 'resolved_manually')
         offset 0
       ) as s
    ),
    -- A step stays if another step needs it. The other step either is outside the race and has not begun, or stays
    -- itself.
    kept (step_no) as (
      select o.step_no
        from open as o
       where exists (
         select
           from tasker.step_children(p_task_uuid, v_template, v_added, o.step_no) as e
          cross join lateral (
            select
              from tasker.workflow_steps as c
             where c.task_uuid = p_task_uuid
               and c.step_no = e.to_step_no
               and c.state = 'pending'
            offset 0
          ) as c
          where e.to_step_no <> p_step_no
            and e.to_step_no not in (select a.step_no from above as a)
       )
      union
      select e.from_step_no
        from kept as k
       cross join lateral tasker.step_parents(p_task_uuid, v_template, v_added, k.step_no) as e
       where e.from_step_no in (select o.step_no from open as o)
    )
    select o.step_no
      from open as o
     where o.step_no not in (select k.step_no from kept as k)
     order by o.step_no
  );
end;
$$;

comment on function tasker.race_losers is
$$Returns the steps above a step with join: first that are open or have failed and for which no other step waits. The returned steps are the branches that lost the race. The cost is linear in the steps and edges above the step.$$;
