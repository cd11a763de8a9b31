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
  p_identity_ttl           interval     default null
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
  v_template  tasker.named_tasks := tasker.find_template(p_namespace, p_name, p_version);
  v_prototype tasker.tasks;
  v_steps     integer;
  v_roots     integer;
  v_started   boolean := not coalesce(p_deferred, false) and coalesce(p_start_at <= tasker.clock(), true);
  v_uuids     uuid[];
  v_hashes    bytea[];
  v_owners    uuid[];
  v_new       uuid[];
begin
  perform tasker.check_task_requests(v_template, p_namespace, p_contexts, p_identity_keys, p_task_uuids);

  if cardinality(p_contexts) = 0 then
    return;
  end if;
  v_uuids := tasker.accept_task_uuids(p_task_uuids, cardinality(p_contexts));
  v_owners := v_uuids;
  select array_agg(
      tasker.task_identity(v_template.identity_strategy, p_namespace, p_name, v_template.version, u.context, u.key)
      order by u.ord
    )
    into v_hashes
    from unnest(p_contexts, p_identity_keys) with ordinality as u (context, key, ord);

  if v_template.identity_strategy <> 'always_unique' then
    v_owners := tasker.claim_identities(v_hashes, v_uuids, tasker.clock() + p_identity_ttl);
  end if;

  select count(*)::integer into v_steps
    from tasker.named_tasks_named_steps as s where s.named_task_uuid = v_template.named_task_uuid;
  select count(*)::integer into v_roots from tasker.template_roots(v_template.named_task_uuid);

  v_prototype := tasker.task_prototype(
    v_template.named_task_uuid, v_started, v_steps, p_priority, p_tags, p_initiator, p_source_system, p_reason,
    p_correlation_id, p_parent_correlation_id, p_headers, p_start_at, p_deadline
  );

  -- Only candidates that own their identity are made; a caller's own UUID may exist already.
  select tasker.insert_tasks(
           v_prototype, array_agg(u.task_uuid), array_agg(u.context), array_agg(u.hash), v_steps, v_roots
         )
    into v_new
    from unnest(v_uuids, v_owners, p_contexts, v_hashes) as u (task_uuid, owner, context, hash)
   where u.owner = u.task_uuid;
  if p_task_uuids is not null then
    perform tasker.check_task_uuids_free(v_uuids, v_template.named_task_uuid, v_hashes);
  end if;

  perform tasker.insert_task_steps(v_new, v_template.named_task_uuid, v_prototype.priority, p_namespace, v_started);
  if v_started then
    perform tasker.log_task_start(v_new, v_steps > 0);
  end if;
  if v_prototype.state <> 'complete' then
    perform tasker.schedule_new_tasks(v_new, v_prototype.priority, v_started, p_start_at, p_deadline);
  end if;
  if v_started and v_roots > 0 and cardinality(v_new) > 0 then
    perform tasker.announce_steps(p_namespace, v_new);
  elsif not v_started and cardinality(v_new) > 0 then
    -- Whoever sleeps until something is due learns that it may be sooner.
    perform tasker.notify_orchestrators();
    perform tasker.notify_steps_ready(p_namespace);
  end if;

  return query
  select
    u.ord::integer,
    u.owner,
    u.owner = u.task_uuid and u.task_uuid = any (v_new) and u.ord = array_position(v_owners, u.owner)
  from unnest(v_uuids, v_owners) with ordinality as u (task_uuid, owner, ord)
  order by u.ord;
end;
$$;

comment on function tasker.create_tasks(
  text, text, jsonb[], text, text[], uuid[], integer, text[], text, text, text, uuid, uuid, jsonb,
  timestamptz, boolean, timestamptz, interval
) is
$$Makes a task for each context, all of one template, and returns a row for each in their order: the task's UUID and whether this call made it.

A repeat, in the call or after it, gets the first task's UUID with created = false: by the template's identity strategy, or by a caller's own UUID. Null means the default: the newest version that is not retired, priority 0, no tags. The tasks start at once, at p_start_at, or (p_deferred) when an orchestrator takes them. All or nothing; a few statements for any number of tasks. Works in the caller's transaction; above READ COMMITTED a concurrent repeat is 40001.

Locks the identities, by hash. Raises TK404 if there is no such template, TK409 if a UUID is another task's, TK410 if the version is retired, TK413 if a context is too large, TK422 if an argument is malformed, TK507 if no partition takes the tasks.$$;

revoke all on function tasker.create_tasks(
  text, text, jsonb[], text, text[], uuid[], integer, text[], text, text, text, uuid, uuid, jsonb,
  timestamptz, boolean, timestamptz, interval
) from public;
grant execute on function tasker.create_tasks(
  text, text, jsonb[], text, text[], uuid[], integer, text[], text, text, text, uuid, uuid, jsonb,
  timestamptz, boolean, timestamptz, interval
) to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator;
