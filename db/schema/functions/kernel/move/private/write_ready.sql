create or replace function tasker.write_ready(
  p_moves      tasker.step_moves[],
  p_namespace  text,
  p_now        timestamptz,
  p_effects    smallint
)
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_ok text; -- an assignment, unlike PERFORM, starts no executor
begin
  insert into tasker.step_log (
    task_uuid, step_no, sort_key, path, claim_no, login, role, created_at
  )
  select
    m.task_uuid, m.step_no, m.transition_count,
    tasker.step_path(m.task_uuid, m.step_no, m.from_state, null, m.event, m.to_state), m.claim_no, session_user, tasker.set_role(),
    m.moved_at
  from unnest(p_moves) as m;

  -- Insert the steps of one task together, so that they are claimed together.
  insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, claim_no, visible_at)
  select
    m.task_uuid, m.step_no, coalesce(p_namespace, tasker.namespace_of_task(m.task_uuid)),
    tasker.step_lane('enqueued', m.priority), m.named_step_uuid, m.claim_no, p_now
  from unnest(p_moves) as m
  where m.to_state = 'enqueued';
  if p_effects <> 0 then
    v_ok := tasker.moved(p_moves, p_effects);
  end if;
  return p_moves;
end;
$$;

comment on function tasker.write_ready is
$$Writes the log, the queue rows and the waits for moves of pending steps whose parents have settled. The caller has already written the rows of the steps. p_effects has the effects of all moves. Returns the moves. The moves must be in the order of their keys. The caller holds the tasks' locks.$$;
