create or replace function tasker.make_tasks(p_request tasker.task_requests)
  returns tasker.task_creations[]
  language plpgsql
as $$
declare
  v_policy    boolean                   := num_nonnulls(
    p_request.identity_scope, p_request.debounce_seconds, p_request.debounce_longest_seconds, p_request.throttle_limit,
    p_request.throttle_seconds, p_request.throttle_key, p_request.throttle_waits
  ) > 0;
  v_template  tasker.creation_templates;
  v_contexts  jsonb[];
  v_keys      text[];
  v_task      tasker.tasks;
  v_uuids     uuid[];
  v_hashes    bytea[];
  v_owners    uuid[];
  v_others    uuid[]; -- existing tasks that are returned for some requests
  v_start     timestamptz;
  v_new       uuid[];
  v_claimed   integer[]                 := '{}';
  v_creations tasker.task_creations[];
  v_ok        text;
begin
  if v_policy then
    p_request := tasker.admit_request(p_request);
  end if;
  -- Number the elements from 1, because the caller's array may have other bounds.
  v_contexts := p_request.contexts[:];
  v_keys := p_request.identity_keys[:];
  v_template := tasker.find_template(p_request.namespace, p_request.name, p_request.version);
  if p_request.identity_ttl is not null or cardinality(p_request.contexts) > 100000 then
    v_ok := tasker.check_period('identity''s time to live', p_request.identity_ttl);
    v_ok := tasker.check_array_size('contexts', cardinality(p_request.contexts), 100000);
  end if;
  if p_request.initiator is not null and p_request.tick is null then
    v_ok := tasker.check_given_name('initiator', p_request.initiator, null);
  end if;
  if p_request.tick is not null then
    v_template.identity_strategy := 'tick';
    v_keys := array[p_request.tick];
  end if;
  v_ok := tasker.check_task_requests(v_template, p_request.namespace || '/' || p_request.name, v_contexts, v_keys, p_request.task_uuids[:]);
  if cardinality(v_contexts) = 0 then
    return '{}';
  end if;
  v_task := tasker.task_prototype(
    v_template, not coalesce(p_request.deferred, false) and coalesce(p_request.start_at <= tasker.clock(), true) and v_template.runs is null, p_request.priority, p_request.tags,
    p_request.initiator, p_request.source_system, p_request.reason, p_request.correlation_id, p_request.parent_correlation_id, p_request.headers, p_request.start_at, p_request.deadline
  );
  if p_request.tick is not null then
    v_task.creator_namespaces := p_request.creator_namespaces;
  end if;

  v_uuids := tasker.mint_task_uuids(cardinality(v_contexts), v_template.range_ends_at);
  if p_request.task_uuids is not null then
    v_uuids := tasker.accept_task_uuids(p_request.task_uuids, v_uuids);
  end if;
  v_hashes := tasker.task_identities(v_template, p_request.namespace, p_request.name, v_contexts, v_keys);
  if v_template.runs is not null then
    p_request.contexts := v_contexts;
    v_others := tasker.admit_tasks(v_template, p_request, v_uuids, v_hashes);
    v_start := p_request.start_at;
    p_request.start_at := 'infinity';
  end if;
  v_owners := case
    when v_others is not null then tasker.claim_others(v_hashes, v_uuids, v_others, v_task.requested_at + p_request.identity_ttl, coalesce(p_request.identity_scope = 'open', false))
    when v_template.identity_strategy = 'always_unique' then v_uuids
    else tasker.claim_identities(v_hashes, v_uuids, v_task.requested_at + p_request.identity_ttl, coalesce(p_request.identity_scope = 'open', false))
  end;

  -- Create only those candidates that own their identity. A UUID that the caller chose may already exist.
  if v_owners = v_uuids then
    v_new := tasker.insert_tasks(v_task, v_uuids, v_contexts, v_hashes, p_request.task_uuids is not null);
  else
    select tasker.insert_tasks(
        v_task, array_agg(u.task_uuid), array_agg(u.context), array_agg(u.hash), p_request.task_uuids is not null
      )
      into v_new
      from unnest(v_uuids, v_owners, v_contexts, v_hashes) as u (task_uuid, owner, context, hash)
     where u.owner = u.task_uuid;
  end if;
  if p_request.task_uuids is not null then
    perform tasker.check_task_uuids_free(v_uuids, v_template.named_task_uuid, v_hashes);
  end if;
  if v_template.identity_strategy = 'caller_provided' and v_owners <> v_uuids then
    perform tasker.check_identity_contexts(
      v_uuids, case when v_others is null then v_owners else array(
        select case when u.other is null then u.owner else u.task_uuid end from unnest(v_uuids, v_owners, v_others) with ordinality as u (task_uuid, owner, other, ord) order by u.ord
      ) end, v_contexts, v_keys
    );
  end if;

  if cardinality(v_new) > 0 then
    if p_request.worker_uuid is not null and v_task.active_steps > 0 and not v_template.paused then
      v_claimed := tasker.roots_to_claim(v_task.named_task_uuid, p_request.namespace, p_request.handlers, p_request.claim_limit);
    end if;
    v_ok := tasker.insert_steps(
      v_task.named_task_uuid, v_new, p_request.namespace, v_task.requested_at, v_task.priority, v_task.state <> 'pending', v_claimed,
      p_request.worker_uuid, p_request.lease_seconds
    );
    if v_task.state <> 'pending' then
      if v_template.root_effects <> 0 or v_template.has_maps then
        v_ok := tasker.roots_born(v_task.named_task_uuid, v_new, v_task.requested_at, v_template.root_effects);
      end if;
      v_ok := tasker.log_new_tasks(v_template, v_new, v_task.requested_at);
    elsif v_template.root_effects & 130 <> 0 then
      v_ok := tasker.contexts_given(v_new, v_template.root_effects);
    end if;
    if v_task.state = 'pending' or p_request.deadline is not null and v_task.state <> 'complete' then
      v_ok := tasker.schedule_new_tasks(v_task, v_new, p_request.namespace, p_request.start_at);
    end if;
    if v_template.runs is not null then
      v_ok := tasker.tasks_made(v_new, v_start);
    end if;
    if v_template.transport = 'pgmq' and v_task.active_steps > 0 then
      v_ok := tasker.announce_steps(p_request.namespace, v_new);
    end if;
    v_ok := tasker.notify_new_tasks(
      p_request.namespace, v_template.notify, v_task.state, v_new,
      v_task.state = 'pending' or v_template.transport <> 'pgmq' and v_task.active_steps > cardinality(v_claimed)
    );
    -- Wake sleeping clients, because work may be due earlier now.
    if v_task.state = 'pending' then
      v_ok := tasker.notify_orchestrators();
    end if;
  end if;

  if cardinality(v_new) = 1 and cardinality(v_uuids) = 1 then
    v_creations := array[row(1, v_new[1], true)::tasker.task_creations];
  elsif v_new = v_uuids then
    v_creations := array(
      select row(u.ord::integer, u.task_uuid, true)::tasker.task_creations
        from unnest(v_new) with ordinality as u (task_uuid, ord)
    );
  else
    v_creations := array(
      select
        row(
          u.ord::integer, u.owner,
          -- The subplan is hashed. A join would compare each row with each other row, because hash and merge joins are off.
          u.owner = u.task_uuid and u.task_uuid in (select n.task_uuid from unnest(v_new) as n (task_uuid))
            and u.ord = min(u.ord) over (partition by u.task_uuid, u.owner)
        )::tasker.task_creations
      from unnest(v_uuids, v_owners) with ordinality as u (task_uuid, owner, ord)
      order by u.ord
    );
  end if;
  if v_policy then
    v_ok := tasker.request_made(p_request, v_creations);
  end if;
  return v_creations;
end;
$$;

comment on function tasker.make_tasks is
$$Makes the tasks of a request, for every function that creates tasks. The rules, locks and errors are the same as for tasker.create_tasks. A worker that the request names gets the first steps, unless the namespace is paused. An identity of the scope "open" may be taken over when its task has ended. The caller has checked that the role may work in the namespace.$$;
