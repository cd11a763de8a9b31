create or replace function tasker.make_task(p_request tasker.task_requests)
  returns tasker.task_creations
  language plpgsql
as $$
declare
  p         record;
  v_hash    bytea;
  v_owner   uuid;
  v_claimed integer[] := '{}';
  v_ok      text; -- an assignment, unlike PERFORM, starts no executor
begin
  -- This query reads everything that a creation needs, and whether the request uses no other feature. An expression of
  -- this function costs more than an expression of the query, because it is prepared again in each transaction.
  select
    k.named_task_uuid, k.identity_strategy, k.version, k.state, k.complete, k.has_maps, k.total_steps, k.active_steps,
    k.suspended_steps, k.transition_count, k.root_effects, k.path, k.ready, k.undo, k.paused, k.first_no, k.first_handler,
    k.first_priority,
    coalesce(k.notify, c.notify) as notify, tasker.clock() as now, tasker.set_role() as role,
    case when m.plain then tasker.new_task_uuid(m.micros, uuid_hash_extended(gen_random_uuid(), 0)) end as task_uuid, coalesce(p_request.priority, 0) as priority,
    num_nonnulls(p_request.initiator, p_request.tags, p_request.headers, k.input_schema) > 0 as said, k.input_schema
    into p
    from tasker.creation_plans as k
   cross join tasker.settings_now as c
   cross join lateral (
     select
       ((date_part('epoch', clock_timestamp()) + date_part('epoch', tasker.clock() - statement_timestamp())) * 1000000)::bigint as micros,
       k.retired_at is null and k.transport <> 'pgmq' and not c.any_bound and not tasker.is_scoped()
       and tasker.clock() >= c.covered_from and tasker.clock() < c.covered_until
       and p_request.deferred is not true
       and num_nonnulls(
         p_request.task_uuids, p_request.identity_ttl, p_request.identity_scope, p_request.debounce_seconds,
         p_request.debounce_longest_seconds, p_request.throttle_limit, p_request.throttle_seconds, p_request.throttle_key, p_request.throttle_waits,
         p_request.start_at, p_request.deadline, k.runs
       ) = 0
       and coalesce(p_request.priority, 0) between -1000 and 1000
       and coalesce(greatest(length(p_request.source_system), length(p_request.reason)) <= 1000, true)
       and jsonb_typeof(p_request.contexts[1]) = 'object'
       and octet_length(p_request.contexts[1]::text) <= c.context_bytes
       and not tasker.is_too_deep(p_request.contexts[1])
       and (k.identity_strategy = 'caller_provided') = (p_request.identity_keys is not null)
       and coalesce(length(p_request.identity_keys[1]) between 1 and 1000, true) as plain
     offset 0
   ) as m
   where k.namespace = p_request.namespace
     and k.name = p_request.name
     and k.version = coalesce(p_request.version, k.version)
   order by k.retired_at is not null, k.created_at desc, k.named_task_uuid desc
   limit 1;
  if p.task_uuid is null then
    v_ok := tasker.check_bound_namespaces(array[p_request.namespace]);
    return (tasker.make_tasks(p_request))[1];
  end if;
  if p.said then
    v_ok := tasker.check_given_name('initiator', p_request.initiator, null);
    v_ok := tasker.check_task_arguments(
      null, p_request.tags, p_request.initiator, null, null, p_request.headers, null, null
    );
    if p.input_schema is not null then
      v_ok := tasker.admit_contexts(p.input_schema, p_request.namespace || '/' || p_request.name, p_request.contexts[:]);
    end if;
  end if;
  if p.identity_strategy <> 'always_unique' then
    v_hash := tasker.task_identity(
      p.identity_strategy, p_request.namespace, p_request.name, p.version,
      case when p.input_schema is null then p_request.contexts[1] else tasker.identity_context(p.input_schema, p_request.contexts[1]) end,
      p_request.identity_keys[1]
    );
    v_owner := (tasker.claim_identities(array[v_hash], array[p.task_uuid], null, false))[1];
    if v_owner <> p.task_uuid then
      if p.identity_strategy = 'caller_provided' then
        v_ok := tasker.check_identity_contexts(array[p.task_uuid], array[v_owner], p_request.contexts, p_request.identity_keys);
      end if;
      return row(1, v_owner, false)::tasker.task_creations;
    end if;
  end if;

  insert into tasker.tasks (
    task_uuid, named_task_uuid, state, complete, has_added_edges, priority, total_steps, open_steps, active_steps, suspended_steps,
    transition_count, requested_at, updated_at, started_at, completed_at, correlation_id, parent_correlation_id, identity_hash,
    initiator, login, role, source_system, reason, tags, headers, context, undo
  )
  values (
    p.task_uuid, p.named_task_uuid, p.state, p.complete, p.has_maps, p.priority, p.total_steps, p.total_steps, p.active_steps,
    p.suspended_steps, p.transition_count, p.now, p.now, p.now, case when p.complete then p.now end,
    coalesce(p_request.correlation_id, p.task_uuid), p_request.parent_correlation_id, v_hash, p_request.initiator, session_user,
    p.role, p_request.source_system, p_request.reason, coalesce(p_request.tags, '{}'), coalesce(p_request.headers, '{}'),
    p_request.contexts[1], p.undo
  );
  if p_request.worker_uuid is not null then
    if not p.paused then
      v_claimed := tasker.roots_to_claim(p.named_task_uuid, p_request.namespace, p_request.handlers, p_request.claim_limit);
    end if;
    v_ok := tasker.insert_steps(
      p.named_task_uuid, array[p.task_uuid], p_request.namespace, p.now, p.priority, true, v_claimed, p_request.worker_uuid, p_request.lease_seconds
    );
  else
    insert into tasker.workflow_steps (
      task_uuid, step_no, workflow_step_uuid, named_step_uuid, name, state, join_mode, total_parents, pending_parents, max_attempts,
      retryable, priority, transition_count, timeout_seconds, backoff_base_seconds, backoff_multiplier, max_backoff_seconds,
      created_at, inputs, await, for_each, limit_no, limit_key, compensate_uuid, effects
    )
    select
      p.task_uuid, s.step_no, tasker.step_uuid(p.task_uuid, s.step_no), s.named_step_uuid, s.step_name,
      case
        when s.total_parents > 0 or s.for_each is not null then 'pending'::tasker.step_state
        when s.await is null then 'enqueued'
        else 'suspended'
      end,
      s.join_mode, s.total_parents, s.total_parents, s.max_attempts, s.retryable, s.priority + p.priority,
      case when s.total_parents > 0 or s.for_each is not null then 0 else 1 end,
      s.timeout_seconds, s.backoff_base_seconds, s.backoff_multiplier, s.max_backoff_seconds, p.now, s.initialization,
      s.await, s.for_each, s.limit_no,
      case when s.limit_no is not null then tasker.limit_key_in(p.task_uuid, s.limit_key, s.initialization) end,
      s.compensate_uuid, s.effects
    from tasker.named_tasks_named_steps as s
    where s.named_task_uuid = p.named_task_uuid;

    -- The plan has the row of a single first step. For more first steps the template is read again. A set-based
    -- creation would cost more.
    if p.first_no is not null then
      insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, visible_at)
      values (
        p.task_uuid, p.first_no, p_request.namespace, tasker.step_lane('enqueued', p.first_priority + p.priority), p.first_handler, p.now
      );
      -- Path 1 of tasker.step_log_paths: enqueued.
      insert into tasker.step_log (task_uuid, step_no, sort_key, path, created_at)
      values (p.task_uuid, p.first_no, 1, 1, p.now);
    else
      insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, visible_at)
      select p.task_uuid, s.step_no, p_request.namespace, tasker.step_lane('enqueued', s.priority + p.priority), s.named_step_uuid, p.now
        from tasker.named_tasks_named_steps as s
       where s.named_task_uuid = p.named_task_uuid
         and s.total_parents = 0
         and s.await is null
         and s.for_each is null;
      -- Path 13 of tasker.step_log_paths: suspended.
      insert into tasker.step_log (task_uuid, step_no, sort_key, path, created_at)
      select p.task_uuid, s.step_no, 1, case when s.await is null then 1 else 13 end, p.now
        from tasker.named_tasks_named_steps as s
       where s.named_task_uuid = p.named_task_uuid
         and s.total_parents = 0
         and s.for_each is null;
    end if;
  end if;
  if p.has_maps or p.root_effects <> 0 then
    v_ok := tasker.roots_born(p.named_task_uuid, array[p.task_uuid], p.now, p.root_effects);
  end if;
  insert into tasker.task_log (task_uuid, sort_key, path, outcome, created_at)
  values (p.task_uuid, p.transition_count, p.path, p.ready, p.now);
  v_ok := tasker.notify_new_tasks(p_request.namespace, p.notify, p.state, array[p.task_uuid], p.active_steps > cardinality(v_claimed));
  return row(1, p.task_uuid, true)::tasker.task_creations;
end;
$$;

comment on function tasker.make_task is
$$Makes the task of a request for one task, by key. tasker.make_tasks makes many tasks with set-based statements, and has the same rules, locks and errors. This function reads all that it needs from tasker.creation_plans and tasker.settings_now with one query, and inserts with one statement for each table. For requests with a policy, a start, a deadline or a chosen UUID, and for requests of bound roles, it calls tasker.make_tasks. This function checks the role.$$;
