create or replace function tasker.apply_move(
  p_move       tasker.step_moves,
  p_task       tasker.task_facts,
  p_processor  uuid  default null
)
  returns tasker.step_moves
  language plpgsql
as $$
declare
  v_failed   integer   := 0; -- these six variables describe a completion
  v_halted   boolean;
  v_move     tasker.step_moves;
  v_children tasker.step_moves[] := '{}';
  v_child    tasker.step_moves;
  v_settled  integer;        -- number of steps that settled at this level of the graph
  v_began    integer;
  v_closed   integer   := 0; -- number of steps that settled at all levels
  v_open     integer   := -1;
  v_active   integer   := -1;
  v_retrying integer   := 0;
  v_waiting  integer   := 0;
  v_level    tasker.step_moves[];
  v_moved    integer[] := array[p_move.step_no];
  v_ended    boolean;
  v_word     text; -- an assignment, unlike PERFORM, starts no executor
  v_enqueued integer[] := '{}';
begin
  if p_move.event = 'Complete' and p_move.via_state = 'enqueued_for_orchestration' and p_move.from_state = 'in_progress' then
    v_move := tasker.write_completion(p_move);
  else
    v_failed := (p_move.to_state = 'error')::integer - (p_move.from_state = 'error')::integer;
    -- A map may tolerate the failure of an instance, and a step may wait for a failure.
    if v_failed > 0 and p_task.has_added_edges then
      return (tasker.apply_moves(array[p_move], array[p_task], p_processor))[1];
    end if;
    v_open := tasker.step_is_open(p_move.to_state) - tasker.step_is_open(p_move.from_state);
    v_active := tasker.step_is_active(p_move.to_state) - tasker.step_is_active(p_move.from_state);
    v_retrying := (p_move.to_state = 'waiting_for_retry')::integer - (p_move.from_state = 'waiting_for_retry')::integer;
    v_waiting := (p_move.to_state = 'suspended')::integer - (p_move.from_state = 'suspended')::integer;
    if p_move.event in ('Enqueue', 'Skip', 'Suspend', 'Resume') then
      v_moved := '{}';
    end if;
    if p_move.to_state = 'enqueued' then
      v_active := v_active - 1; -- the step counts among the enqueued steps
      v_enqueued := array[p_move.step_no];
    end if;
    v_move := tasker.write_move(p_move, p_task.namespace);
  end if;
  if v_move.task_uuid is null then
    return null;
  end if;
  v_halted := tasker.task_halts(p_task.on_failure, p_task.failed_steps + v_failed);

  if p_task.total_steps > 1 and v_move.to_state in ('complete', 'cancelled', 'resolved_manually') then
    v_children := tasker.write_children(v_move, p_task, v_halted);
  elsif v_move.to_state = 'suspended' then
    v_children := tasker.write_moves(tasker.follow_moves(array[v_move], 1::smallint), p_task.namespace);
  end if;
  while cardinality(v_children) > 0 loop
    v_settled := 0;
    v_began := 0;
    foreach v_child in array v_children loop
      if v_child.event = 'Resume' then
        v_waiting := v_waiting - 1;
        v_enqueued := v_enqueued || v_child.step_no;
      elsif v_child.event = 'Enqueue' then
        v_enqueued := v_enqueued || v_child.step_no;
      elsif v_child.event = 'Skip' then
        v_settled := v_settled + 1;
      elsif v_child.event = 'Suspend' then
        v_began := v_began + 1;
      elsif v_child.event = 'Complete' then
        -- The step began to wait at the previous level, and its signal had been kept.
        v_settled := v_settled + 1;
        v_waiting := v_waiting - 1;
        v_moved := v_moved || v_child.step_no;
      end if;
    end loop;
    exit when v_settled = 0 and v_began = 0;
    -- A skipped step settles its own edges.
    v_closed := v_closed + v_settled;
    v_waiting := v_waiting + v_began;
    v_level := v_children;
    v_children := '{}';
    if v_settled > 0 then
      v_children := tasker.settle_children(
        v_level, case when not p_task.has_added_edges then p_task.named_task_uuid end,
        case when v_halted then array[p_task.task_uuid] else '{}' end, p_task.namespace
      );
    end if;
    if v_began > 0 then
      v_children := v_children || tasker.write_moves(tasker.follow_moves(v_level, 1::smallint), p_task.namespace);
    end if;
  end loop;

  -- Process the moves in the order of the steps, as for many moves. The moves of one level are already in this order.
  if v_level is not null then
    v_moved := array(select u.step_no from unnest(v_moved) as u (step_no) order by u.step_no);
    v_enqueued := array(select u.step_no from unnest(v_enqueued) as u (step_no) order by u.step_no);
  end if;
  v_ended := tasker.write_task(
    p_task, v_open - v_closed, v_active + cardinality(v_enqueued), v_retrying, v_waiting, v_failed, v_enqueued, v_moved,
    v_move.error, coalesce(v_move.worker_uuid, p_processor)
  );
  if cardinality(v_enqueued) = 0 then
    return v_move;
  elsif p_task.transport = 'pgmq' then
    perform tasker.announce_steps(p_task.namespace, array_fill(p_task.task_uuid, array[cardinality(v_enqueued)]), v_enqueued);
  else
    v_word := tasker.notify_steps_ready(p_task.namespace);
  end if;
  return v_move;
end;
$$;

comment on function tasker.apply_move is
$$Applies one move and its consequences: changes the step, its children and its task, and notifies workers and listeners. Returns the move as written. If the step has left from_state or is under another claim, returns null and changes nothing.

If no worker moves the task, the log names p_processor. tasker.apply_moves does the same for a set of moves. tasker.apply_held_move writes a move without its consequences. The caller holds the task's lock and passes its facts.$$;
