create or replace function tasker.write_moves(p_moves tasker.step_moves[], p_namespace text)
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_now      timestamptz := tasker.write_clock();
  v_login    text        := session_user;
  v_role     text        := tasker.set_role();
  v_moves    tasker.step_moves[];
  v_leaves   boolean;
  v_enters   boolean;
  v_stays    boolean;
  v_waits    boolean;
  v_retries  boolean;
  v_mapped   uuid[];
  v_maps     integer[];
  v_effects  smallint;
  v_ok       text; -- an assignment, unlike PERFORM, starts no executor
begin
  with moved as (
    update tasker.workflow_steps as s
     set state             = m.to_state,
           transition_count  = s.transition_count + num_nonnulls(m.first_event, m.event),
           moved_at          = greatest(s.moved_at, v_now),
           attempts          = tasker.attempts_after(m.event, m.from_state, s.attempts),
           lost_count        = tasker.lost_after(m.event, m.from_state, s.lost_count, m.metadata),
           lease_until       = null,
           next_retry_at     = m.next_retry_at,
           backoff_request_seconds = case coalesce(m.via_state, m.to_state)
             when 'enqueued_as_error_for_orchestration' then m.backoff_seconds
             when 'pending' then null
             else s.backoff_request_seconds
           end,
           last_failure_at   = case
             when coalesce(m.via_state, m.to_state) = 'enqueued_as_error_for_orchestration'
                  or m.event = 'Fail' and (m.error is not null or m.from_state <> 'enqueued_as_error_for_orchestration')
               then v_now
             else s.last_failure_at
           end,
           last_error        = coalesce(m.error, s.last_error),
           results           = coalesce(m.result, s.results),
           processed_at      = case
             when m.event is null then s.processed_at
             when m.to_state in ('complete', 'resolved_manually') then v_now
           end
      from unnest(p_moves) as m
     where s.task_uuid = any (array[m.task_uuid])
       and s.step_no = m.step_no
       and s.state = m.from_state
       and s.claim_no = coalesce(m.held_claim_no, s.claim_no)
    returning
      m.position, m.value, m.task_uuid, m.step_no, m.from_state, m.first_event, m.via_state, m.event, m.to_state, m.next_retry_at,
      m.visible_at, m.execution_time_ms, m.worker_uuid as given_uuid, m.actor, m.reason, m.metadata, m.error,
      s.claim_no, s.worker_uuid, s.transition_count, s.priority, s.named_step_uuid, s.moved_at, tasker.result_digest(m.result) as digest,
      tasker.step_is_active(m.from_state) as was_active, tasker.step_is_active(m.to_state) as is_active,
      -- The caller is compared with the caller in the previous row of the log.
      m.from_state = 'in_progress' and s.claim_login = v_login and s.claim_role is not distinct from v_role as same,
      s.for_each is not null and s.state = 'pending'
        and (s.pending_parents = 0 or s.for_each ? 'max_parallel' and s.expansion ->> 'expanded' <> s.expansion ->> 'elements') as expands,
      case when m.event is not null then tasker.effects_of_move(s.effects, m.from_state, m.to_state) else 0::smallint end as effects
  ),
  logged as (
    insert into tasker.step_log (
      task_uuid, step_no, sort_key, path, claim_no, execution_time_ms, worker_uuid, actor, login, role, reason, result_digest,
      metadata, created_at
    )
    select
      m.task_uuid, m.step_no, m.transition_count,
      tasker.step_path(m.task_uuid, m.step_no, m.from_state, m.via_state, m.event, m.to_state),
      m.claim_no, m.execution_time_ms,
      tasker.logged_worker(coalesce(m.first_event, m.event), m.given_uuid, m.worker_uuid),
      m.actor,
      case when not m.same then v_login end,
      case when not m.same then v_role end,
      m.reason, m.digest, m.metadata, m.moved_at
    from moved as m
    where m.event is not null
  )
  select
    array_agg(tasker.step_move(
      p_position => m.position, p_task_uuid => m.task_uuid, p_step_no => m.step_no, p_from_state => m.from_state,
      p_first_event => m.first_event, p_via_state => m.via_state, p_event => m.event, p_to_state => m.to_state,
      p_claim_no => m.claim_no,
      p_worker_uuid => tasker.logged_worker(coalesce(m.first_event, m.event), m.given_uuid, m.worker_uuid),
      p_next_retry_at => m.next_retry_at, p_visible_at => m.visible_at, p_error => m.error,
      p_transition_count => m.transition_count, p_priority => m.priority, p_named_step_uuid => m.named_step_uuid,
      p_moved_at => m.moved_at, p_effects => m.effects, p_value => m.value, p_metadata => m.metadata
    )),
    bool_or(m.was_active > m.is_active),
    bool_or(m.was_active < m.is_active),
    bool_or(m.was_active + m.is_active = 2 and m.visible_at is not null),
    bool_or(m.to_state = 'waiting_for_retry' and m.event is not null),
    bool_or(m.from_state = 'waiting_for_retry' and m.event is not null),
    array_agg(m.task_uuid) filter (where m.expands),
    array_agg(m.step_no) filter (where m.expands),
    bit_or(m.effects)
    into v_moves, v_leaves, v_enters, v_stays, v_waits, v_retries, v_mapped, v_maps, v_effects
    from moved as m;

  if v_leaves then
    delete from tasker.step_queue as q
     using unnest(v_moves) as m
     where q.task_uuid = any (array[m.task_uuid])
       and q.step_no = m.step_no
       and tasker.step_is_active(m.to_state) = 0;
  end if;
  if v_enters then
    -- Insert the steps of one task together, so that they are claimed together.
    insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, claim_no, visible_at)
    select
      m.task_uuid, m.step_no, coalesce(p_namespace, tasker.namespace_of_task(m.task_uuid)),
      tasker.step_lane(m.to_state, m.priority), m.named_step_uuid, m.claim_no, coalesce(m.visible_at, v_now)
    from unnest(v_moves) as m
    where tasker.step_is_active(m.from_state) = 0
      and tasker.step_is_active(m.to_state) = 1
    order by m.task_uuid, m.step_no;
  end if;
  if v_stays then
    update tasker.step_queue as q
       set lane       = tasker.step_lane(m.to_state, m.priority),
           claim_no   = m.claim_no,
           visible_at = m.visible_at
      from unnest(v_moves) as m
     where q.task_uuid = any (array[m.task_uuid])
       and q.step_no = m.step_no
       and tasker.step_is_active(m.from_state) = 1
       and tasker.step_is_active(m.to_state) = 1
       and m.visible_at is not null;
  end if;
  if v_waits then
    insert into tasker.timers (task_uuid, step_no, kind, due_at, namespace)
    select m.task_uuid, m.step_no, 'retry_step', m.next_retry_at, coalesce(p_namespace, tasker.namespace_of_task(m.task_uuid))
      from unnest(v_moves) as m
     where m.to_state = 'waiting_for_retry';
  end if;
  if v_retries then
    delete from tasker.timers as d
     using unnest(v_moves) as m
     where d.task_uuid = any (array[m.task_uuid])
       and d.step_no = m.step_no
       and d.kind = 'retry_step'
       and m.from_state = 'waiting_for_retry';
  end if;
  if v_maps is not null then
    perform tasker.maps_ready(v_mapped, v_maps);
  end if;
  if v_effects <> 0 then
    v_ok := tasker.moved(v_moves, v_effects);
  end if;
  return coalesce(v_moves, '{}');
end;
$$;

comment on function tasker.write_moves is
$$Writes moves of any number of steps, one statement for each table: the steps, their log, their queue rows, their timers, their waits, the notes of maps. Returns the written moves, but omits moves of steps that have left from_state or are under another claim.

tasker.write_starts writes starts, and tasker.settle_children writes the counters of children. The steps are locked in the order of the moves, which must be the order of their keys. p_namespace is the namespace in whose queue the steps are enqueued, or null if there are several.$$;
