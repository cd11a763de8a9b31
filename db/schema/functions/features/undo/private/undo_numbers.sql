create or replace function tasker.undo_numbers(p_task_uuid uuid, p_last integer, p_count integer, p_gap integer)
  returns integer[]
  language plpgsql
  stable
as $$
begin
  if p_last + p_count <= 65535 then
    return array(select n.no from generate_series(p_last + 1, p_last + p_count) as n (no));
  end if;
  -- There are enough numbers, because registration, maps and add_steps count each step with a compensation twice. But the
  -- free numbers may be gaps among the numbers of the template's steps.
  return array(
    select n.no
      from generate_series(coalesce(p_gap, 0) + 1, 65535) as n (no)
     where not exists (
       select
         from tasker.workflow_steps as s
        where s.task_uuid = p_task_uuid
          and s.step_no = n.no
       offset 0
     )
     limit p_count
  );
end;
$$;

comment on function tasker.undo_numbers is
$$Returns numbers for p_count compensations, ascending. These are the numbers after p_last, the task's last step number. If these numbers do not suffice, returns free numbers after p_gap, the last gap that was filled.$$;
