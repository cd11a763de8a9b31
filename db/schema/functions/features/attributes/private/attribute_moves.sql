create or replace function tasker.attribute_moves(p_moves tasker.step_moves[])
  returns void
  language plpgsql
as $$
declare
  v_tasks uuid[];
  v_steps integer[];
begin
  select array_agg(m.task_uuid order by m.task_uuid, m.step_no), array_agg(m.step_no order by m.task_uuid, m.step_no)
    into v_tasks, v_steps
    from unnest(p_moves) as m
   where m.effects & 128 <> 0
     and m.to_state in ('complete', 'resolved_manually');
  if v_tasks is not null then
    perform tasker.write_attributes(v_tasks, v_steps);
  end if;
end;
$$;

comment on function tasker.attribute_moves is
$$Writes the attributes that the results of completed steps change. Of two steps that one call completes, the step with the higher number is the later.$$;
