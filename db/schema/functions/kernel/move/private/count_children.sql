create or replace function tasker.count_children(p_moves tasker.step_moves[], p_template uuid)
  returns void
  language plpgsql
as $$
declare
  v_now    timestamptz         := tasker.write_clock();
  v_counts tasker.step_moves[] := tasker.child_moves(p_moves, p_template);
  v_mapped uuid[];
  v_maps   integer[];
begin
  with counted as (
    update tasker.workflow_steps as s
       set pending_parents   = s.pending_parents - d.settled,
           satisfied_parents = s.satisfied_parents + d.satisfied,
           moved_at          = case when s.state = 'pending' then greatest(s.moved_at, v_now) else s.moved_at end
      from unnest(v_counts) as d
     where s.task_uuid = any (array[d.task_uuid])
       and s.step_no = d.step_no
    returning
      s.task_uuid, s.step_no,
      s.for_each is not null and s.state = 'pending'
        and (s.pending_parents = 0 or s.for_each ? 'max_parallel' and s.expansion ->> 'expanded' <> s.expansion ->> 'elements') as expands
  )
  select array_agg(c.task_uuid), array_agg(c.step_no) into v_mapped, v_maps from counted as c where c.expands;
  if v_maps is not null then
    perform tasker.maps_ready(v_mapped, v_maps);
  end if;
end;
$$;

comment on function tasker.count_children is
$$Adds the steps that settled to their children's counters, and decides about no child, because the task ends, is reset, or is evaluated later. tasker.settle_children also decides. The moves must have been written, and must be in the order of their keys. The caller holds the tasks' locks.$$;
