create or replace function tasker.make_tasks(
  p_namespace              text,
  p_name                   text,
  p_contexts               jsonb[],
  p_version                text,
  p_identity_keys          text[],
  p_task_uuids             uuid[],
  p_priority               integer,
  p_tags                   text[],
  p_initiator              text,
  p_source_system          text,
  p_reason                 text,
  p_correlation_id         uuid,
  p_parent_correlation_id  uuid,
  p_headers                jsonb,
  p_start_at               timestamptz,
  p_deferred               boolean,
  p_deadline               timestamptz,
  p_identity_ttl           interval,
  p_worker_uuid            uuid     default null,
  p_handlers               text[]   default null,
  p_limit                  integer  default null,
  p_lease_seconds          integer  default null,
  p_tick                   text     default null,
  p_while_open             boolean  default false,
  p_creator_namespaces     text[]   default null
)
  returns tasker.task_creations[]
  language plpgsql
as $$
declare
  v_template  tasker.creation_templates;
  -- Renumber from 1, whatever the caller's bounds are.
  v_contexts  jsonb[]                   := p_contexts[:];
  v_keys      text[]                    := p_identity_keys[:];
  v_task      tasker.tasks;
  v_uuids     uuid[];
  v_hashes    bytea[];
  v_owners    uuid[];
  v_new       uuid[];
  v_claimed   integer[]                 := '{}';
  v_ok        text;
begin
  v_template := tasker.find_template(p_namespace, p_name, p_version);
  if p_identity_ttl is not null or cardinality(p_contexts) > 100000 then
    v_ok := tasker.check_period('identity''s time to live', p_identity_ttl);
    v_ok := tasker.check_array_size('contexts', cardinality(p_contexts), 100000);
  end if;
  if p_initiator is not null and p_tick is null then
    v_ok := tasker.check_given_name('initiator', p_initiator, null);
  end if;
  if p_tick is not null then
    v_template.identity_strategy := 'tick';
    v_keys := array[p_tick];
  end if;
  v_ok := tasker.check_task_requests(v_template, p_namespace || '/' || p_name, v_contexts, v_keys, p_task_uuids[:]);
  if cardinality(v_contexts) = 0 then
    return '{}';
  end if;
  v_task := tasker.task_prototype(
    v_template, not coalesce(p_deferred, false) and coalesce(p_start_at <= tasker.clock(), true), p_priority, p_tags,
    p_initiator, p_source_system, p_reason, p_correlation_id, p_parent_correlation_id, p_headers, p_start_at, p_deadline
  );
  if p_tick is not null then
    v_task.creator_namespaces := p_creator_namespaces;
  end if;

  v_uuids := tasker.mint_task_uuids(cardinality(v_contexts), v_template.range_ends_at);
  if p_task_uuids is not null then
    v_uuids := tasker.accept_task_uuids(p_task_uuids, v_uuids);
  end if;
  v_hashes := tasker.task_identities(v_template, p_namespace, p_name, v_contexts, v_keys);
  v_owners := case v_template.identity_strategy
    when 'always_unique' then v_uuids
    else tasker.claim_identities(v_hashes, v_uuids, v_task.requested_at + p_identity_ttl, p_while_open)
  end;

  -- Create only candidates that own their identity; a caller's own UUID may already exist.
  if v_owners = v_uuids then
    v_new := tasker.insert_tasks(v_task, v_uuids, v_contexts, v_hashes, p_task_uuids is not null);
  else
    select tasker.insert_tasks(
        v_task, array_agg(u.task_uuid), array_agg(u.context), array_agg(u.hash), p_task_uuids is not null
      )
      into v_new
      from unnest(v_uuids, v_owners, v_contexts, v_hashes) as u (task_uuid, owner, context, hash)
     where u.owner = u.task_uuid;
  end if;
  if p_task_uuids is not null then
    perform tasker.check_task_uuids_free(v_uuids, v_template.named_task_uuid, v_hashes);
  end if;
  if v_template.identity_strategy = 'caller_provided' and v_owners <> v_uuids then
    perform tasker.check_identity_contexts(v_uuids, v_owners, v_contexts, v_keys);
  end if;

  if cardinality(v_new) > 0 then
    if p_worker_uuid is not null and v_task.active_steps > 0 and not v_template.paused then
      v_claimed := tasker.roots_to_claim(v_task.named_task_uuid, p_handlers, p_limit);
    end if;
    v_ok := tasker.insert_steps(v_task, v_new, p_namespace, v_template.root_effects, v_claimed, p_worker_uuid, p_lease_seconds);
    if v_task.state <> 'pending' then
      v_ok := tasker.log_new_tasks(v_task, v_new);
    end if;
    if v_task.state = 'pending' or p_deadline is not null and v_task.state <> 'complete' then
      v_ok := tasker.schedule_new_tasks(v_task, v_new, p_namespace, p_start_at);
    end if;
    if v_template.transport = 'pgmq' and v_task.active_steps > 0 then
      v_ok := tasker.announce_steps(p_namespace, v_new);
    end if;
    v_ok := tasker.notify_new_tasks(
      p_namespace, v_template.notify, v_task.state, v_new,
      v_task.state = 'pending' or v_template.transport <> 'pgmq' and v_task.active_steps > cardinality(v_claimed)
    );
    -- Wake sleepers, since something may be due earlier now.
    if v_task.state = 'pending' then
      v_ok := tasker.notify_orchestrators();
    end if;
  end if;

  if cardinality(v_new) = 1 and cardinality(v_uuids) = 1 then
    return array[row(1, v_new[1], true)::tasker.task_creations];
  end if;
  return array(
    select
      row(
        u.ord::integer, u.owner,
        -- A hashed subplan: a join would compare each with each, since those of hashes and sorts are off.
        u.owner = u.task_uuid and u.task_uuid in (select n.task_uuid from unnest(v_new) as n (task_uuid))
          and u.ord = min(u.ord) over (partition by u.task_uuid, u.owner)
      )::tasker.task_creations
    from unnest(v_uuids, v_owners) with ordinality as u (task_uuid, owner, ord)
    order by u.ord
  );
end;
$$;

comment on function tasker.make_tasks is
$$Does what tasker.create_tasks does, with its arguments, locks and errors, for every function that creates tasks. If a worker is named, it gets the first steps at once: at most p_limit of those whose handlers it has, unless the namespace is paused. p_tick, a schedule and a time, is the identity of its one task, whatever the template's strategy, and p_creator_namespaces is where that task may start others, whatever the session is kept to. With p_while_open an identity whose task has ended may be taken over. The caller has checked that the role may work in the namespace.$$;
