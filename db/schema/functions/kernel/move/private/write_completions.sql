create or replace function tasker.write_completions(p_moves tasker.step_moves[])
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_now     timestamptz := tasker.write_clock();
  v_login   text        := session_user;
  v_role    text        := tasker.set_role();
  v_moves   tasker.step_moves[];
  v_effects smallint;
  v_ok       text; -- an assignment, unlike PERFORM, starts no executor
begin
  with moved as (
    update tasker.workflow_steps as s
       set state            = 'complete',
           transition_count = s.transition_count + 2,
           moved_at         = greatest(s.moved_at, v_now),
           lease_until      = null,
           results          = coalesce(m.result, s.results),
           processed_at     = v_now
      from unnest(p_moves) as m
     where s.task_uuid = any (array[m.task_uuid])
       and s.step_no = m.step_no
       and s.state = 'in_progress'
       and s.claim_no = m.held_claim_no
    returning
      m.position, s.task_uuid, s.step_no, tasker.execution_ms(m.execution_time_ms, s.last_attempted_at, v_now) as execution_time_ms,
      tasker.result_digest(m.result) as digest, s.claim_no, s.worker_uuid,
      s.transition_count, s.moved_at, tasker.effects_of_move(s.effects, 'in_progress', 'complete') as effects,
      -- The caller is compared with the caller in the previous row of the log.
      s.claim_login = v_login and s.claim_role is not distinct from v_role as same
  ),
  logged as (
    -- Path 47 of tasker.step_log_paths: recorded and completed.
    insert into tasker.step_log (
      task_uuid, step_no, sort_key, path, claim_no, execution_time_ms, worker_uuid, login, role, result_digest, created_at
    )
    select
      m.task_uuid, m.step_no, m.transition_count, 47, m.claim_no, m.execution_time_ms, m.worker_uuid,
      case when not m.same then v_login end, case when not m.same then v_role end, m.digest, m.moved_at
    from moved as m
  )
  select
    array_agg(tasker.step_move(
      p_position => m.position, p_task_uuid => m.task_uuid, p_step_no => m.step_no, p_from_state => 'in_progress',
      p_first_event => 'EnqueueForOrchestration', p_via_state => 'enqueued_for_orchestration', p_event => 'Complete',
      p_to_state => 'complete', p_claim_no => m.claim_no, p_worker_uuid => m.worker_uuid,
      p_transition_count => m.transition_count, p_moved_at => m.moved_at, p_effects => m.effects
    )),
    bit_or(m.effects)
    into v_moves, v_effects
    from moved as m;

  delete from tasker.step_queue as q
   using unnest(v_moves) as m
   where q.task_uuid = any (array[m.task_uuid])
     and q.step_no = m.step_no;
  if v_effects <> 0 then
    v_ok := tasker.moved(v_moves, v_effects);
  end if;
  return coalesce(v_moves, '{}');
end;
$$;

comment on function tasker.write_completions is
$$Writes moves that each complete a step with its result, like tasker.write_moves: the steps, their log, their queue rows. Writes only the columns of a completion. Returns the written moves, but omits moves of steps that are no longer in progress under the claim.

The steps are locked in the order of the moves, which must be the order of their keys.$$;
