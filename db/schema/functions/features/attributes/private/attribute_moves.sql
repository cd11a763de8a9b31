create or replace function tasker.attribute_moves(p_moves tasker.step_moves[])
  returns void
  language plpgsql
as $$
begin
  perform tasker.write_attributes(
      array_agg(m.task_uuid order by m.task_uuid, m.step_no), array_agg(t.named_task_uuid order by m.task_uuid, m.step_no),
      array_agg(m.step_no order by m.task_uuid, m.step_no), array_agg(s.results order by m.task_uuid, m.step_no)
    )
     from unnest(p_moves) as m
    cross join lateral (
      select t.named_task_uuid from tasker.tasks as t where t.task_uuid = m.task_uuid offset 0
    ) as t
    cross join lateral (
      select s.results from tasker.workflow_steps as s where s.task_uuid = m.task_uuid and s.step_no = m.step_no offset 0
    ) as s
    where m.effects & 128 <> 0
      and m.to_state in ('complete', 'resolved_manually')
   having count(*) > 0;
end;
$$;

comment on function tasker.attribute_moves is
$$Writes the attributes that the results of completed steps change. If one call completes two steps, the step with the higher number counts as the later step.$$;
