create or replace function tasker.parents_taken_over(p_task_uuid uuid, p_map_no integer, p_ended integer[])
  returns boolean
  language plpgsql
  stable
as $$
begin
  return not exists (
    select
      from tasker.workflow_step_edges as e
     cross join lateral (
       select
         from tasker.workflow_steps as s
        where s.task_uuid = e.task_uuid
          and s.step_no = e.from_step_no
          and s.state not in ('complete', 'resolved_manually', 'cancelled')
       offset 0
     ) as s
     where e.task_uuid = p_task_uuid
       and e.to_step_no = p_map_no
       and e.from_step_no <> all (p_ended)
  );
end;
$$;

comment on function tasker.parents_taken_over is
$$Returns whether a fork has taken over all parents of a map. A parent was taken over if it is settled, or if it is a
map in p_ended, which will be settled next.$$;
