create or replace function tasker.write_starts(
  p_taken        tasker.step_queue[],
  p_worker_uuid  uuid,
  p_lease_until  timestamptz
)
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_now   timestamptz := tasker.write_clock();
  v_login text        := session_user;
  v_role  text        := tasker.set_role();
  v_tasks uuid[]      := array(select distinct u.task_uuid from unnest(p_taken) as u order by u.task_uuid);
  v_first uuid        := v_tasks[1];
  v_last  uuid        := v_tasks[cardinality(v_tasks)];
  v_moves tasker.step_moves[];
begin
  -- A locking query returns the newest version of the row, whatever the snapshot of the statement is, so conditions can
  -- be checked on its rows at once.
  with locked as materialized (
    select s.task_uuid, s.step_no, u.claim_no
      from unnest(p_taken) as u
     cross join lateral (
       select s.task_uuid, s.step_no, s.state, s.lost_count
         from tasker.workflow_steps as s
        where s.task_uuid = u.task_uuid
          and s.task_uuid between v_first and v_last
          and s.step_no = u.step_no
          for no key update skip locked
     ) as s
     where s.state = 'enqueued'
       and s.lost_count < 2
  ),
  started as (
    update tasker.workflow_steps as s
       set state             = 'in_progress',
           transition_count  = s.transition_count + 1,
           moved_at          = greatest(s.moved_at, v_now),
           claim_no          = l.claim_no,
           attempts          = tasker.attempts_after('Start', 'enqueued', s.attempts),
           worker_uuid       = p_worker_uuid,
           claim_login       = v_login,
           claim_role        = v_role,
           last_attempted_at = v_now,
           lease_until       = p_lease_until,
           lease_seconds     = ceil(extract(epoch from p_lease_until - v_now))::integer
      from locked as l
     where s.task_uuid = any (array[l.task_uuid])
       and s.step_no = l.step_no
    returning s.task_uuid, s.step_no, s.claim_no, s.transition_count, s.moved_at
  ),
  logged as (
    -- Path 3 of tasker.step_log_paths: started.
    insert into tasker.step_log (
      task_uuid, step_no, sort_key, path, claim_no, worker_uuid, login, role, created_at
    )
    select
      m.task_uuid, m.step_no, m.transition_count, 3, m.claim_no, p_worker_uuid, v_login, v_role, m.moved_at
    from started as m
  )
  select array_agg(tasker.step_move(
    p_task_uuid => m.task_uuid, p_step_no => m.step_no, p_from_state => 'enqueued', p_event => 'Start',
    p_to_state => 'in_progress', p_claim_no => m.claim_no, p_worker_uuid => p_worker_uuid,
    p_lease_until => p_lease_until, p_transition_count => m.transition_count, p_moved_at => m.moved_at
  ))
    into v_moves
    from started as m;
  return coalesce(v_moves, '{}');
end;
$$;

comment on function tasker.write_starts is
$$Starts the steps of queue rows that a claim has taken, with one statement that writes only the columns of a start. Locks the steps that no other transaction holds. Moves the locked steps that are enqueued and are not suspects (tasker.start_suspect), and logs the moves. Returns the moves.

tasker.write_start does the same for one step. Does not change the queue rows, which the claim has already written.$$;
