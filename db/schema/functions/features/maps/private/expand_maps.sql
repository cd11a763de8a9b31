create or replace function tasker.expand_maps(p_task_uuids uuid[], p_step_nos integer[], p_budgets tasker.fire_budgets)
  returns void
  language plpgsql
as $$
declare
  v_budget integer := p_budgets.instances;
  v_note   record;
begin
  for v_note in
    select u.task_uuid, u.step_no
      from unnest(p_task_uuids, p_step_nos) with ordinality as u (task_uuid, step_no, place)
     order by u.place
  loop
    -- The notes of the remaining maps stay due.
    exit when v_budget <= 0;
    v_budget := v_budget - 1
      - tasker.expand_map(v_note.task_uuid, v_note.step_no, v_budget, p_budgets.head_start, p_budgets.processor_uuid);
  end loop;
end;
$$;

comment on function tasker.expand_maps is
$$Does the due work of these maps in the given order, until p_budgets.instances instances are inserted. A transaction inserts no more instances than this. The caller holds the tasks' locks.$$;
