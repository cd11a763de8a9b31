create or replace function tasker.child_moves(p_moves tasker.step_moves[], p_template uuid)
  returns tasker.step_moves[]
  language plpgsql
  stable
as $$
declare
  v_span        uuid[] := array[(p_moves[1]).task_uuid, (p_moves[cardinality(p_moves)]).task_uuid];
  v_moves       tasker.step_moves[];
  v_conditional boolean;
begin
  -- Most tasks have no added edges: read only the edges of the template.
  if p_template is not null then
    select
      array_agg(tasker.step_move(
        p_task_uuid => c.task_uuid, p_step_no => c.step_no, p_from_state => 'pending', p_to_state => 'pending',
        p_settled => c.settled, p_satisfied => c.satisfied
      ) order by c.task_uuid, c.step_no),
      bool_or(c.conditional)
      into v_moves, v_conditional
      from (
        select
          m.task_uuid, e.to_step_no as step_no, count(*)::integer as settled,
          count(*) filter (where m.to_state <> 'cancelled')::integer as satisfied, bool_or(e.condition is not null or e.outcome is not null) as conditional
          from unnest(p_moves) as m
         cross join lateral (
           select e.to_step_no, e.condition, e.outcome
             from tasker.named_task_edges as e
            where e.named_task_uuid = p_template
              and e.from_step_no = m.step_no
           offset 0
         ) as e
         where m.to_state in ('complete', 'cancelled', 'resolved_manually')
           and m.event is not null
         group by m.task_uuid, e.to_step_no
      ) as c;
    if v_conditional is not true then
      return coalesce(v_moves, '{}');
    end if;
  end if;

  return array(
    select tasker.step_move(
      p_task_uuid => m.task_uuid, p_step_no => e.to_step_no, p_from_state => 'pending', p_to_state => 'pending',
      p_settled => count(*)::integer,
      p_satisfied => count(*) filter (
          where case when e.outcome is not null then tasker.outcome_met(e.outcome, m.task_uuid, m.step_no, m.to_state)
            else m.to_state <> 'cancelled'
            and (
              e.condition is null
              or tasker.condition_holds(e.condition, (
                select tasker.edge_result(e.condition, p.results, p.expansion, p.task_uuid, p.step_no)
                  from tasker.workflow_steps as p
                 where p.task_uuid = m.task_uuid
                   and p.task_uuid between v_span[1] and v_span[2]
                   and p.step_no = m.step_no
              ))
            )
            end
        )::integer
    )
      from unnest(p_moves) as m
     cross join lateral (
       select t.named_task_uuid, t.has_added_edges
         from tasker.tasks as t
        where t.task_uuid = m.task_uuid
          and t.task_uuid between v_span[1] and v_span[2]
       offset 0
     ) as t
     cross join lateral tasker.step_children(m.task_uuid, t.named_task_uuid, t.has_added_edges, m.step_no) as e
     where m.to_state in ('complete', 'cancelled', 'resolved_manually')
       and m.event is not null
     group by m.task_uuid, e.to_step_no
     order by m.task_uuid, e.to_step_no
  );
end;
$$;

comment on function tasker.child_moves is
$$Returns the increments for the counters of the children of the steps that these moves settled, across tasks, in the order of the children's keys. The increments of a child are the number of its parents that settled, and the number of their edges that are satisfied. p_template is the template of all tasks if no task has added edges, otherwise null.

The moves must have been written, and must be in the order of the tasks' UUIDs.$$;
