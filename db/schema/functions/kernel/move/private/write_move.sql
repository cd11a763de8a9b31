create or replace function tasker.write_move(p_move tasker.step_moves, p_namespace text)
  returns tasker.step_moves
  language plpgsql
as $$
declare
  v_now    timestamptz := tasker.write_clock();
  v_login  text        := session_user;
  v_role   text        := tasker.set_role();
  v_worker uuid;
  v_same   boolean; -- whether the caller is the same as in the previous row of the log
  v_ok     text;    -- an assignment, unlike PERFORM, starts no executor
begin
  -- There are two statements, because each column costs time even in a call that does not change it.
  if p_move.event = 'Start' then
    update tasker.workflow_steps as s
       set state             = p_move.to_state,
           transition_count  = s.transition_count + 1,
           moved_at          = greatest(s.moved_at, v_now),
           claim_no          = p_move.claim_no,
           attempts          = tasker.attempts_after('Start', p_move.from_state, s.attempts),
           worker_uuid       = p_move.worker_uuid,
           claim_login       = v_login,
           claim_role        = v_role,
           last_attempted_at = v_now,
           lease_until       = p_move.lease_until,
           lease_seconds     = ceil(extract(epoch from p_move.lease_until - v_now))::integer
     where s.task_uuid = p_move.task_uuid
       and s.step_no = p_move.step_no
       and s.state = p_move.from_state
    returning
      s.transition_count, s.claim_no, s.priority, s.named_step_uuid, s.moved_at, s.worker_uuid,
      false,
      s.effects
      into
      p_move.transition_count, p_move.claim_no, p_move.priority, p_move.named_step_uuid, p_move.moved_at, v_worker,
      v_same, p_move.effects;
  else
    update tasker.workflow_steps as s
       set state             = p_move.to_state,
           transition_count  = s.transition_count + num_nonnulls(p_move.first_event, p_move.event),
           moved_at          = greatest(s.moved_at, v_now),
           attempts          = tasker.attempts_after(p_move.event, p_move.from_state, s.attempts),
           lost_count        = tasker.lost_after(p_move.event, p_move.from_state, s.lost_count, p_move.metadata),
           lease_until       = null,
           next_retry_at     = p_move.next_retry_at,
           backoff_request_seconds = case coalesce(p_move.via_state, p_move.to_state)
             when 'enqueued_as_error_for_orchestration' then p_move.backoff_seconds
             when 'pending' then null
             else s.backoff_request_seconds
           end,
           last_failure_at   = case
             when coalesce(p_move.via_state, p_move.to_state) = 'enqueued_as_error_for_orchestration'
                  or p_move.event = 'Fail' and (p_move.error is not null or p_move.from_state <> 'enqueued_as_error_for_orchestration')
               then v_now
             else s.last_failure_at
           end,
           last_error        = coalesce(p_move.error, s.last_error),
           results           = coalesce(p_move.result, s.results),
           processed_at      = case
             when p_move.event is null then s.processed_at
             when p_move.to_state in ('complete', 'resolved_manually') then v_now
           end
     where s.task_uuid = p_move.task_uuid
       and s.step_no = p_move.step_no
       and s.state = p_move.from_state
       and s.claim_no = coalesce(p_move.held_claim_no, s.claim_no)
    returning
      s.transition_count, s.claim_no, s.priority, s.named_step_uuid, s.moved_at, s.worker_uuid,
      p_move.from_state = 'in_progress' and s.claim_login = v_login and s.claim_role is not distinct from v_role,
      s.effects
      into
      p_move.transition_count, p_move.claim_no, p_move.priority, p_move.named_step_uuid, p_move.moved_at, v_worker,
      v_same, p_move.effects;
  end if;
  if not found then
    return null;
  end if;
  -- This column is not in the lists above, because PostgreSQL compiles a "returning" list once for each partition.
  if p_move.effects <> 0 then
    p_move.effects := tasker.effects_of_move(p_move.effects, p_move.from_state, p_move.to_state);
  end if;
  if v_same then
    v_login := null;
    v_role := null;
  end if;

  insert into tasker.step_log (
    task_uuid, step_no, sort_key, path, claim_no, execution_time_ms, worker_uuid, actor, login, role, reason, result_digest, metadata,
    created_at
  )
  values (
    p_move.task_uuid, p_move.step_no, p_move.transition_count,
    tasker.step_path(p_move.task_uuid, p_move.step_no, p_move.from_state, p_move.via_state, p_move.event, p_move.to_state),
    p_move.claim_no, p_move.execution_time_ms,
    tasker.logged_worker(coalesce(p_move.first_event, p_move.event), p_move.worker_uuid, v_worker),
    p_move.actor, v_login, v_role, p_move.reason, tasker.result_digest(p_move.result), p_move.metadata, p_move.moved_at
  );

  if tasker.step_is_active(p_move.to_state) = 0 then
    if tasker.step_is_active(p_move.from_state) = 1 then
      delete from tasker.step_queue as q
       where q.task_uuid = p_move.task_uuid
         and q.step_no = p_move.step_no;
    end if;
  elsif tasker.step_is_active(p_move.from_state) = 0 then
    insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, claim_no, visible_at)
    values (
      p_move.task_uuid, p_move.step_no, p_namespace, tasker.step_lane(p_move.to_state, p_move.priority),
      p_move.named_step_uuid, p_move.claim_no, coalesce(p_move.visible_at, v_now)
    );
  elsif p_move.visible_at is not null then
    update tasker.step_queue as q
       set lane       = tasker.step_lane(p_move.to_state, p_move.priority),
           claim_no   = p_move.claim_no,
           visible_at = p_move.visible_at
     where q.task_uuid = p_move.task_uuid
       and q.step_no = p_move.step_no;
  end if;

  if p_move.to_state = 'waiting_for_retry' then
    insert into tasker.timers (task_uuid, step_no, kind, due_at, namespace)
    values (p_move.task_uuid, p_move.step_no, 'retry_step', p_move.next_retry_at, p_namespace);
  elsif p_move.from_state = 'waiting_for_retry' then
    delete from tasker.timers as d
     where d.task_uuid = p_move.task_uuid
       and d.step_no = p_move.step_no
       and d.kind = 'retry_step';
  end if;

  if p_move.effects <> 0 then
    v_ok := tasker.moved(array[p_move], p_move.effects);
  end if;

  p_move.worker_uuid := tasker.logged_worker(coalesce(p_move.first_event, p_move.event), p_move.worker_uuid, v_worker);
  return p_move;
end;
$$;

comment on function tasker.write_move is
$$Writes one move by its key: the step, its log, its queue row, its timer and its waits. Returns the move as written, or null if the step has left from_state or is under another claim.

tasker.write_moves does the same for many moves. If the move enqueues the step, p_namespace is the namespace of the queue.$$;
