create or replace function tasker.write_completion(p_move tasker.step_moves)
  returns tasker.step_moves
  language plpgsql
as $$
declare
  v_now   timestamptz := tasker.write_clock();
  v_login text        := session_user;
  v_role  text        := tasker.set_role();
  v_began timestamptz;
  v_same  boolean; -- whether the caller is the same as in the previous row of the log
  v_ok    text;    -- an assignment, unlike PERFORM, starts no executor
begin
  update tasker.workflow_steps as s
     set state            = 'complete',
         transition_count = s.transition_count + 2,
         moved_at         = greatest(s.moved_at, v_now),
         lease_until      = null,
         results          = coalesce(p_move.result, s.results),
         processed_at     = v_now
   where s.task_uuid = p_move.task_uuid
     and s.step_no = p_move.step_no
     and s.state = 'in_progress'
     and s.claim_no = p_move.held_claim_no
  returning
    s.transition_count, s.claim_no, s.moved_at, s.worker_uuid,
    s.last_attempted_at,
    s.claim_login = v_login and s.claim_role is not distinct from v_role,
    s.effects
    into
    p_move.transition_count, p_move.claim_no, p_move.moved_at, p_move.worker_uuid, v_began, v_same,
    p_move.effects;
  if not found then
    return null;
  end if;
  -- This column is not in the list above, because PostgreSQL compiles a "returning" list once for each partition.
  if (p_move.execution_time_ms > 0) is not true then
    p_move.execution_time_ms := tasker.execution_ms(p_move.execution_time_ms, v_began, v_now);
  end if;
  if p_move.effects <> 0 then
    p_move.effects := tasker.effects_of_move(p_move.effects, 'in_progress', 'complete');
  end if;
  if v_same then
    v_login := null;
    v_role := null;
  end if;

  -- Path 47 of tasker.step_log_paths: recorded and completed.
  insert into tasker.step_log (
    task_uuid, step_no, sort_key, path, claim_no, execution_time_ms, worker_uuid, login, role, result_digest, created_at
  )
  values (
    p_move.task_uuid, p_move.step_no, p_move.transition_count, 47, p_move.claim_no, p_move.execution_time_ms, p_move.worker_uuid,
    v_login, v_role, tasker.result_digest(p_move.result), p_move.moved_at
  );
  delete from tasker.step_queue as q
   where q.task_uuid = p_move.task_uuid
     and q.step_no = p_move.step_no;
  if p_move.effects <> 0 then
    v_ok := tasker.moved(array[p_move], p_move.effects);
  end if;
  return p_move;
end;
$$;

comment on function tasker.write_completion is
$$Writes a move that completes a step with its result, like tasker.write_move, but only the columns of a completion: the step, its log, its queue row. Returns the written move, or null if the step is no longer in progress under the claim.$$;
