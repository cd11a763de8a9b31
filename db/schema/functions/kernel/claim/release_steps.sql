create or replace function tasker.release_steps(p_step_uuids uuid[], p_claim_nos integer[])
  returns setof tasker.step_answers
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
  set lock_timeout = '2s'
as $$
declare
  v_held  boolean[];
  v_moves tasker.step_moves[];
begin
  perform tasker.check_isolation();
  perform tasker.check_step_claims(p_step_uuids, p_claim_nos);
  perform tasker.check_bound_steps(p_step_uuids);

  -- The call holds no lock of a task, so it must not wait for a step.
  v_held := tasker.lock_steps(
    array(select tasker.task_uuid_of(u.step_uuid) from unnest(p_step_uuids) with ordinality as u (step_uuid, position) order by u.position),
    array(select tasker.step_no_of(u.step_uuid) from unnest(p_step_uuids) with ordinality as u (step_uuid, position) order by u.position)
  );
  -- The steps return to their old places in the queue, because they have already waited.
  v_moves := tasker.requeue_steps(array(
    select tasker.step_move(
      p_task_uuid => s.task_uuid, p_step_no => s.step_no, p_from_state => 'in_progress', p_event => 'Release',
      p_to_state => 'enqueued', p_held_claim_no => u.claim_no,
      p_visible_at => least(s.last_attempted_at, tasker.write_clock())
    )
      from unnest(p_step_uuids, p_claim_nos, v_held) as u (step_uuid, claim_no, held)
     cross join lateral (
       select s.task_uuid, s.step_no, s.state, s.claim_no, s.last_attempted_at, s.undo_level
         from tasker.workflow_steps as s
        where s.task_uuid = tasker.task_uuid_of(u.step_uuid)
          and s.step_no = tasker.step_no_of(u.step_uuid)
       offset 0
     ) as s
     where u.held
       and s.state = 'in_progress'
       and s.claim_no = u.claim_no
       and s.undo_level is null
     order by u.step_uuid
  ));
  if cardinality(v_moves) < cardinality(p_step_uuids) then
    v_moves := v_moves || tasker.end_leases(p_step_uuids, p_claim_nos, v_held);
  end if;

  return query
  select
    u.step_uuid,
    u.claim_no,
    case
      when s.state is null then 'not_found'::tasker.result_answer
      when exists (select from unnest(v_moves) as m where tasker.step_uuid(m.task_uuid, m.step_no) = u.step_uuid) then 'released'
      when s.state = 'cancelled' then 'cancelled'
      when s.state = 'in_progress' and s.claim_no = u.claim_no then 'busy'
      else 'stale'
    end,
    null::timestamptz
  from unnest(p_step_uuids, p_claim_nos) with ordinality as u (step_uuid, claim_no, position)
  left join lateral (
    select s.state, s.claim_no
      from tasker.workflow_steps as s
     where s.task_uuid = tasker.task_uuid_of(u.step_uuid)
       and s.step_no = tasker.step_no_of(u.step_uuid)
    offset 0
  ) as s
    on true
  order by u.position;
end;
$$;

comment on function tasker.release_steps is
$$Returns claimed steps that were not started to their place in the queue, for example at a worker's shutdown. The attempt does not count. Returns one answer for each step, in order: "released", "stale", "cancelled", "not_found" or "busy". The answer "busy" means that another transaction holds the step: send the release again.

A step whose task is being undone is not tried again, and its lease ends. A claim number that is not the step's current one releases nothing. Locks the steps, without waiting, then their queue rows. Raises TK422 if the arrays do not match, TK403 if the role is bound to other namespaces, TK409 above READ COMMITTED.$$;

grant execute on function tasker.release_steps
  to tasker_worker, tasker_orchestrator, tasker_operator;
