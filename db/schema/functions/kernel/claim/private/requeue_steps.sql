create or replace function tasker.requeue_steps(p_moves tasker.step_moves[])
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_move  tasker.step_moves;
  v_moves tasker.step_moves[] := '{}';
begin
  if cardinality(p_moves) = 1 then
    v_move := tasker.write_move(p_moves[1], null);
    v_moves := case when v_move.task_uuid is null then '{}' else array[v_move] end;
  elsif cardinality(p_moves) > 1 then
    v_moves := tasker.write_moves(p_moves, null);
  end if;
  perform tasker.announce_queue_rows(array_agg(m.task_uuid), array_agg(m.step_no))
     from unnest(v_moves) as m
   having count(*) > 0;
  return v_moves;
end;
$$;

comment on function tasker.requeue_steps is
$$Returns steps in progress to the queue, by Release or LeaseExpired, and wakes workers. Does not change the task, because the task's counters do not distinguish the two states. The caller holds the locks of the steps and, if it began with the queue, of their queue rows.$$;
