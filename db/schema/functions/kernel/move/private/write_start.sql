create or replace function tasker.write_start(
  p_row          tasker.step_queue,
  p_worker_uuid  uuid,
  p_lease_until  timestamptz,
  p_suspect      boolean
)
  returns tasker.step_moves
  language plpgsql
as $$
declare
  v_now   timestamptz := tasker.write_clock();
  v_login text        := session_user;
  v_role  text        := tasker.set_role();
  v_count integer;
  v_moved timestamptz;
begin
  -- One statement locks and starts the step. The subquery runs once, before the update. A locking query returns the
  -- newest version of the row, whatever the snapshot of the statement is, so its conditions apply to that version.
  update tasker.workflow_steps as s
     set state             = 'in_progress',
         transition_count  = s.transition_count + 1,
         moved_at          = greatest(s.moved_at, v_now),
         claim_no          = p_row.claim_no,
         attempts          = tasker.attempts_after('Start', 'enqueued', s.attempts),
         worker_uuid       = p_worker_uuid,
         claim_login       = v_login,
         claim_role        = v_role,
         last_attempted_at = v_now,
         lease_until       = p_lease_until,
         lease_seconds     = ceil(extract(epoch from p_lease_until - v_now))::integer
   where s.task_uuid = p_row.task_uuid
     and s.step_no = p_row.step_no
     and (
       select l.state = 'enqueued' and (l.lost_count > 1) = p_suspect
         from tasker.workflow_steps as l
        where l.task_uuid = p_row.task_uuid
          and l.step_no = p_row.step_no
          for no key update skip locked
     )
  returning s.transition_count, s.moved_at
    into v_count, v_moved;
  if not found then
    return null;
  end if;
  -- Path 3 of tasker.step_log_paths: started.
  insert into tasker.step_log (task_uuid, step_no, sort_key, path, claim_no, worker_uuid, login, role, created_at)
  values (p_row.task_uuid, p_row.step_no, v_count, 3, p_row.claim_no, p_worker_uuid, v_login, v_role, v_moved);
  return tasker.step_move(
    p_task_uuid => p_row.task_uuid, p_step_no => p_row.step_no, p_from_state => 'enqueued', p_event => 'Start',
    p_to_state => 'in_progress', p_claim_no => p_row.claim_no, p_worker_uuid => p_worker_uuid,
    p_lease_until => p_lease_until, p_transition_count => v_count, p_moved_at => v_moved
  );
end;
$$;

comment on function tasker.write_start is
$$Starts the step of one queue row that a claim has taken, by its key. tasker.write_starts does the same for many steps. p_suspect says whether the step is a suspect (tasker.start_suspect). Returns the move, or null if another transaction holds the step, the step is not enqueued, or p_suspect is wrong.$$;
