create or replace function tasker.failure_moves(p_moves tasker.step_moves[])
  returns tasker.step_moves[]
  language plpgsql
as $$
begin
  return array(
    select tasker.step_move(
      p_task_uuid => m.task_uuid, p_step_no => m.step_no, p_from_state => 'error', p_event => 'Tolerate',
      p_to_state => 'cancelled',
      p_reason => coalesce(format('step "%s" waits for its failure', w.name), 'a step further down waits for a failure'),
      p_metadata => jsonb_build_object('guard', 'a step waits for its failure')
    )
      from unnest(p_moves) as m
     cross join lateral (
       select s.task_uuid
         from tasker.workflow_steps as s
        where s.task_uuid = m.task_uuid
          and s.step_no = m.step_no
          and s.effects & 1024 <> 0
          and s.map_no is null
          and s.undo_no is null
       offset 0
     ) as s
     cross join lateral (
       select t.named_task_uuid
         from tasker.tasks as t
        where t.task_uuid = m.task_uuid
          and (t.undo ? 'phase') is not true
       offset 0
     ) as t
      left join lateral (
        select c.step_name as name
          from tasker.named_task_edges as e
          join tasker.named_tasks_named_steps as c
            on c.named_task_uuid = e.named_task_uuid
           and c.step_no = e.to_step_no
         where e.named_task_uuid = t.named_task_uuid
           and e.from_step_no = m.step_no
           and e.outcome is not null
         order by e.to_step_no
         limit 1
      ) as w
        on true
     where m.to_state = 'error'
       and m.event is not null
     order by m.task_uuid, m.step_no
  );
end;
$$;

comment on function tasker.failure_moves is
$$Returns the moves that settle steps which have just failed for good, if another step waits for their failure. The steps below can then be decided. Excludes instances of maps, because the map decides about them, and steps of a task that is being undone.$$;
