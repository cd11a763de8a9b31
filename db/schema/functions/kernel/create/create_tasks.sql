create or replace function tasker.create_tasks(
  p_namespace              text,
  p_name                   text,
  p_contexts               jsonb[],
  p_version                text         default null,
  p_identity_keys          text[]       default null,
  p_task_uuids             uuid[]       default null,
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
  p_throttle_key           text         default null,
  p_throttle_wait          boolean      default null
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
  v_ok        text;
  v_creations tasker.task_creations[];
begin
  v_ok := tasker.check_bound_namespaces(array[p_namespace]);
  -- The columns of tasker.task_requests, in their order. They are one expression, which is prepared once.
  v_creations := tasker.make_tasks(row(
    p_namespace, p_name, p_contexts, p_version, p_identity_keys, p_task_uuids, p_priority, p_tags, p_initiator,
    p_source_system, p_reason, p_correlation_id, p_parent_correlation_id, p_headers, p_start_at, p_deferred,
    p_deadline, p_identity_ttl, p_identity_scope, null, null, p_throttle_limit, p_throttle_seconds, p_throttle_key,
    null, null, null, null, null, null, null, null, p_throttle_wait
  )::tasker.task_requests);
  return query select c.* from unnest(v_creations) as c;
end;
$$;

comment on function tasker.create_tasks is
$$Creates a task for each context, all from one template. Returns a row for each context, in order: the task's UUID and whether this call created the task.

A repeat, in the same call or later, returns the first task's UUID with created = false. The template's identity strategy, or the caller's own UUID, decides whether a request is a repeat. A null argument means its default: the newest version that is not retired, priority 0, no tags. The tasks start at once, at p_start_at, or, with p_deferred, when an orchestrator takes them. p_identity_scope and the throttle are the same as for create_task. The throttle counts every task that is created, and refuses either all tasks of the call or none. With p_throttle_wait, the tasks start one after the other, in the order of their contexts. The call creates all tasks or none. It needs a few statements for any number of tasks. It works in the caller's transaction. Above READ COMMITTED a concurrent repeat raises 40001.

Locks the identities, in the order of their hashes. Raises TK404 if there is no such template, TK409 if a UUID belongs to another task, or an identity key to a task with another context, TK410 if the version is retired, TK413 if a context is too large, TK422 if an argument is malformed, TK429 if the throttle refuses them, TK507 if there is no partition for the tasks, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.create_tasks to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator;
