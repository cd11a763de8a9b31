create or replace function tasker.create_task(
  p_namespace                 text,
  p_name                      text,
  p_context                   jsonb        default '{}',
  p_version                   text         default null,
  p_identity_key              text         default null,
  p_task_uuid                 uuid         default null,
  p_priority                  integer      default null,
  p_tags                      text[]       default null,
  p_initiator                 text         default null,
  p_source_system             text         default null,
  p_reason                    text         default null,
  p_correlation_id            uuid         default null,
  p_parent_correlation_id     uuid         default null,
  p_headers                   jsonb        default null,
  p_start_at                  timestamptz  default null,
  p_deferred                  boolean      default null,
  p_deadline                  timestamptz  default null,
  p_identity_ttl              interval     default null,
  p_identity_scope            text         default null,
  p_debounce_seconds          integer      default null,
  p_debounce_longest_seconds  integer      default null,
  p_throttle_limit            integer      default null,
  p_throttle_seconds          integer      default null,
  p_throttle_key              text         default null,
  p_throttle_wait             boolean      default null
)
  returns setof tasker.task_creations
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
begin
  -- The columns of tasker.task_requests, in their order. They are one expression, which is prepared once.
  v_creation := tasker.make_task(row(
    p_namespace, p_name, array[coalesce(p_context, '{}')], p_version,
    case when p_identity_key is not null then array[p_identity_key] end,
    case when p_task_uuid is not null then array[p_task_uuid] end,
    p_priority, p_tags, p_initiator, p_source_system, p_reason, p_correlation_id, p_parent_correlation_id,
    p_headers, p_start_at, p_deferred, p_deadline, p_identity_ttl, p_identity_scope, p_debounce_seconds,
    p_debounce_longest_seconds, p_throttle_limit, p_throttle_seconds, p_throttle_key,
    null, null, null, null, null, null, null, null, p_throttle_wait
  )::tasker.task_requests);
  return next v_creation;
end;
$$;

comment on function tasker.create_task is
$$Creates one task from a template and returns its UUID and whether this call created it. It does the work of create_tasks for a single context, with the same arguments, locks and errors, and has three more policies: the scope of the identity, a debounce and a throttle.

p_identity_scope says how long an equal request returns the existing task: "forever" (the default) while the task is kept, "open" until the task has ended, "period" for p_identity_ttl. With p_debounce_seconds, the task starts that many seconds after the last request with the same p_identity_key. Each request cancels the previous task if that task has not started, and replaces it. The task starts at the latest p_debounce_longest_seconds after the first request. The throttle applies to the template and p_throttle_key: p_throttle_limit tasks may be created at once, and one more task every p_throttle_seconds / p_throttle_limit seconds. A request beyond this rate raises TK429. A repeated request does not count. With p_throttle_wait, a task above the rate is created and starts when its turn in the queue of the throttle comes, if necessary later than p_start_at. Then the request raises TK429 only if that turn is more than a year from now.

Locks the debounced key, then its task, then the identity. Locks the throttle's row last.$$;

grant execute on function tasker.create_task to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator;
