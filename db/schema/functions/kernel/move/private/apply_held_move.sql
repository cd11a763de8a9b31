create or replace function tasker.apply_held_move(p_move tasker.step_moves, p_task tasker.task_facts)
  returns tasker.step_moves
  language plpgsql
as $$
declare
  v_template uuid                := case when not p_task.has_added_edges then p_task.named_task_uuid end;
  v_move     tasker.step_moves   := tasker.write_move(p_move, p_task.namespace);
  v_all      tasker.step_moves[] := array[v_move];
  v_last     tasker.step_moves[];
begin
  if v_move.task_uuid is null then
    return null;
  end if;
  if v_move.to_state = 'suspended' then
    v_all := v_all || tasker.write_moves(tasker.follow_moves(v_all, 1::smallint), p_task.namespace);
  elsif v_move.to_state = 'error' and p_task.has_added_edges then
    v_last := v_all;
    loop
      v_last := tasker.write_moves(tasker.follow_moves(v_last, 32::smallint), p_task.namespace);
      v_all := v_all || v_last;
      exit when not exists (select from unnest(v_last) as m where m.to_state = 'error');
    end loop;
    v_all := array(select m from unnest(v_all) as m order by m.step_no);
  end if;
  if exists (select from unnest(v_all) as m where m.to_state in ('complete', 'cancelled', 'resolved_manually')) then
    perform tasker.count_children(v_all, v_template);
  end if;
  perform tasker.count_task(tasker.counted(p_task, v_all));
  if exists (select from unnest(v_all) as m where m.to_state = 'enqueued') then
    perform tasker.announce_steps(p_task.namespace, array_agg(m.task_uuid), array_agg(m.step_no))
       from unnest(v_all) as m
      where m.to_state = 'enqueued';
  end if;
  return v_move;
end;
$$;

comment on function tasker.apply_held_move is
$$Applies one move without its consequences: writes the counters of the children and of the task, but decides about neither. The caller evaluates the task afterwards, or leaves that to an orchestrator. Returns the move as written. If the step has left from_state or is under another claim, returns null and changes nothing.

tasker.apply_move applies a move with its consequences. The caller holds the task's lock and passes its facts.$$;
