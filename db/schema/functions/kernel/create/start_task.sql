create or replace function tasker.start_task(
  p_namespace              text,
  p_name                   text,
  p_worker_uuid            uuid,
  p_context                jsonb        default '{}',
  p_handlers               text[]       default null,
  p_limit                  integer      default 100,
  p_lease_seconds          integer      default null,
  p_version                text         default null,
  p_identity_key           text         default null,
  p_task_uuid              uuid         default null,
  p_priority               integer      default null,
  p_tags                   text[]       default null,
  p_initiator              text         default null,
  p_source_system          text         default null,
  p_reason                 text         default null,
  p_correlation_id         uuid         default null,
  p_parent_correlation_id  uuid         default null,
  p_headers                jsonb        default null,
  p_start_at               timestamptz  default null,
  p_deferred               boolean      default null,
  p_deadline               timestamptz  default null,
  p_identity_ttl           interval     default null,
  p_identity_scope         text         default null,
  p_throttle_limit         integer      default null,
  p_throttle_seconds       integer      default null,
  p_throttle_key           text         default null
)
  returns setof tasker.task_starts
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_creation tasker.task_creations;
  v_ok       text;
begin
  p_context := coalesce(p_context, '{}');
  p_limit   := coalesce(p_limit, 100);
  v_ok := tasker.check_claim(p_worker_uuid, p_limit, p_lease_seconds);
  v_ok := tasker.check_worker(p_worker_uuid);
  v_ok := tasker.check_own_transaction();
  -- The columns of tasker.task_requests, in their order. They are one expression, which is prepared once.
  v_creation := tasker.make_task(row(
    p_namespace, p_name, array[p_context], p_version,
    case when p_identity_key is not null then array[p_identity_key] end,
    case when p_task_uuid is not null then array[p_task_uuid] end,
    p_priority, p_tags, p_initiator, p_source_system, p_reason, p_correlation_id, p_parent_correlation_id,
    p_headers, p_start_at, p_deferred, p_deadline, p_identity_ttl, p_identity_scope, null, null,
    p_throttle_limit, p_throttle_seconds, p_throttle_key,
    p_worker_uuid, p_handlers, p_limit, p_lease_seconds, null, null, null, null, null
  )::tasker.task_requests);

  -- The first steps have no parents, no checkpoint and no earlier attempt. The caller has passed the context itself.
  return query
  select
    s.task_uuid, true, s.workflow_step_uuid, s.claim_no, s.step_no, p_namespace, p_name, k.version, s.name, h.name,
    s.attempts, s.max_attempts, s.lost_count, s.priority, s.lease_until, s.timeout_seconds, t.correlation_id,
    t.parent_correlation_id, t.headers, s.inputs, null::jsonb, null::text, t.context, '{}'::jsonb
  from tasker.workflow_steps as s
  join tasker.tasks as t
    on t.task_uuid = s.task_uuid
  join tasker.named_tasks as k
    on k.named_task_uuid = t.named_task_uuid
  join tasker.named_steps as h
    on h.named_step_uuid = s.named_step_uuid
  where s.task_uuid = v_creation.task_uuid
    and s.state = 'in_progress'
    and v_creation.created
  order by s.priority desc, s.step_no;

  if not found then
    return query
    select
      v_creation.task_uuid, v_creation.created, null::uuid, null::integer, null::integer, null, null, null,
      null, null, null::integer, null::integer, null::integer, null::integer, null::timestamptz, null::integer,
      null::uuid, null::uuid, null::jsonb, null::jsonb, null::jsonb, null, null::jsonb, null::jsonb;
    return;
  end if;

  -- Write the worker's row last, and at most every ten seconds: otherwise concurrent starts of one worker would wait
  -- for its row. These claims do not count in claimed_count.
  if not exists (
    select
      from tasker.workers as w
     where w.worker_uuid = p_worker_uuid
       and w.last_seen_at >= tasker.clock() - interval '10 seconds'
  ) then
    insert into tasker.workers (worker_uuid, name, role, may_serve)
    values (p_worker_uuid, p_worker_uuid::text, tasker.set_role(), tasker.bound_namespaces())
    on conflict (worker_uuid) do update
       set last_seen_at = excluded.last_seen_at;
  end if;
  v_ok := tasker.note_lease_clock();
end;
$$;

comment on function tasker.start_task is
$$Creates a task as tasker.create_task does, and hands the task's first steps to this worker in the same call, as tasker.claim_steps does. It hands out at most p_limit steps that depend on no other step and whose handler is in p_handlers (null: all), under a lease. Returns a row for each claimed step, or one row without a step.

From then on the ordinary rules apply: other workers claim the remaining steps, and take over this worker's steps when their leases end. If the namespace is paused, or the task starts later or is deferred to an orchestrator, the task is created but its steps are not claimed. Steps of a paused handler are not claimed either. Steps that the database runs are claimed only by a worker that names their handlers. A repeat of an earlier request creates and claims nothing. A task that is started at once cannot be debounced. Call this function in its own transaction, because a handler must not begin before its task is committed. The function refuses a transaction that has already written, but cannot detect a transaction that has only read.

Locks the identity. Locks the worker's row last, if the worker has not been seen for ten seconds. Raises the errors of tasker.create_task, TK422 for a limit or lease out of range, TK403 if the role is bound to other namespaces or the worker belongs to another role, TK409 in a transaction that has written or above READ COMMITTED.$$;

grant execute on function tasker.start_task to tasker_worker, tasker_orchestrator, tasker_operator;
