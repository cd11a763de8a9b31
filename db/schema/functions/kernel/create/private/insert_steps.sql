create or replace function tasker.insert_steps(
  p_named_task_uuid  uuid,
  p_task_uuids       uuid[],
  p_namespace        text,
  p_at               timestamptz,
  p_priority         integer,
  p_started          boolean,
  p_claimed          integer[]  default '{}',
  p_worker_uuid      uuid       default null,
  p_lease_seconds    integer    default null
)
  returns void
  language plpgsql
as $$
declare
  v_claims      boolean := p_claimed <> '{}';
  v_seconds     integer;
  v_claim_no    integer;
  v_login       text;
  v_role        text;
  v_lease_until timestamptz;
begin
  if v_claims then
    v_claim_no := tasker.next_claim_no(0);
    v_login := session_user;
    v_role := tasker.set_role();
    v_seconds := coalesce(p_lease_seconds, tasker.setting_integer('lease_seconds'));
    v_lease_until := p_at + v_seconds * interval '1 second';
  end if;

  insert into tasker.workflow_steps (
    task_uuid, step_no, workflow_step_uuid, named_step_uuid, name, state, join_mode, total_parents, pending_parents, max_attempts,
    retryable, priority, transition_count, timeout_seconds, backoff_base_seconds, backoff_multiplier,
    max_backoff_seconds, created_at, inputs, claim_no, attempts, worker_uuid, claim_login,
    claim_role, lease_until, lease_seconds, last_attempted_at, await, for_each,
    limit_no, limit_key, compensate_uuid, effects
  )
  select
    u.task_uuid, s.step_no, tasker.step_uuid(u.task_uuid, s.step_no), s.named_step_uuid, s.step_name,
    case
      when c.claimed then 'in_progress'::tasker.step_state
      when p_started and s.total_parents = 0 and s.for_each is null then case when s.await is null then 'enqueued'::tasker.step_state else 'suspended' end
      else 'pending'
    end,
    s.join_mode, s.total_parents, s.total_parents, s.max_attempts, s.retryable, s.priority + p_priority,
    case when c.claimed then 2 when p_started and s.total_parents = 0 and s.for_each is null then 1 else 0 end,
    s.timeout_seconds, s.backoff_base_seconds, s.backoff_multiplier, s.max_backoff_seconds, p_at,
    s.initialization,
    case when c.claimed then v_claim_no else 0 end,
    case when c.claimed then 1 else 0 end,
    case when c.claimed then p_worker_uuid end,
    case when c.claimed then v_login end,
    case when c.claimed then v_role end,
    case when c.claimed then v_lease_until end,
    case when c.claimed then v_seconds end,
    case when c.claimed then p_at end,
    s.await,
    s.for_each,
    s.limit_no,
    case when s.limit_no is not null then tasker.limit_key_in(u.task_uuid, s.limit_key, s.initialization) end,
    s.compensate_uuid,
    s.effects
  from unnest(p_task_uuids) as u (task_uuid)
  cross join tasker.named_tasks_named_steps as s
  cross join lateral (select v_claims and s.step_no = any (p_claimed) as claimed) as c
  where s.named_task_uuid = p_named_task_uuid;

  if not p_started then
    return;
  end if;

  insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, claim_no, visible_at)
  select
    u.task_uuid, s.step_no, p_namespace,
    tasker.step_lane(
      case when c.claimed then 'in_progress'::tasker.step_state else 'enqueued' end, s.priority + p_priority
    ),
    s.named_step_uuid,
    case when c.claimed then v_claim_no else 0 end,
    case when c.claimed then v_lease_until else p_at end
  from unnest(p_task_uuids) as u (task_uuid)
  cross join tasker.named_tasks_named_steps as s
  cross join lateral (select v_claims and s.step_no = any (p_claimed) as claimed) as c
  where s.named_task_uuid = p_named_task_uuid
    and s.total_parents = 0
    and s.await is null
    and s.for_each is null;

  -- Path 1 of tasker.step_log_paths: enqueued. Path 13: suspended.
  insert into tasker.step_log (task_uuid, step_no, sort_key, path, created_at, xact)
  select
    u.task_uuid, s.step_no, 1, case when s.await is null then 1 else 13 end, p_at, (select pg_current_xact_id()::text::bigint)
  from unnest(p_task_uuids) as u (task_uuid)
  cross join tasker.named_tasks_named_steps as s
  where s.named_task_uuid = p_named_task_uuid
    and s.total_parents = 0
    and s.for_each is null;

  if v_claims then
    -- Path 3 of tasker.step_log_paths: started.
    insert into tasker.step_log (
      task_uuid, step_no, sort_key, path, claim_no, worker_uuid, created_at
    )
    select
      u.task_uuid, c.step_no, 2, 3, v_claim_no, p_worker_uuid, p_at
    from unnest(p_task_uuids) as u (task_uuid)
    cross join unnest(p_claimed) as c (step_no);
  end if;
end;
$$;

comment on function tasker.insert_steps is
$$Inserts the steps of new tasks from the template, with set-based statements. All functions that create several tasks use this function. Tasks use the template's edges without a copy. If the tasks start at once, this function also writes the state, queue row and log of their root steps. A root step is in progress if p_claimed has its number, suspended if it has no handler, pending if it is a map, and otherwise enqueued. The caller then calls tasker.roots_born.$$;
