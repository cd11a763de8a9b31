create or replace function tasker.create_by_policy(
  p_namespace                 text,
  p_name                      text,
  p_context                   jsonb,
  p_version                   text,
  p_identity_key              text,
  p_task_uuid                 uuid,
  p_priority                  integer,
  p_tags                      text[],
  p_initiator                 text,
  p_source_system             text,
  p_reason                    text,
  p_correlation_id            uuid,
  p_parent_correlation_id     uuid,
  p_headers                   jsonb,
  p_start_at                  timestamptz,
  p_deferred                  boolean,
  p_deadline                  timestamptz,
  p_identity_ttl              interval,
  p_identity_scope            text,
  p_debounce_seconds          integer,
  p_debounce_longest_seconds  integer,
  p_throttle_limit            integer,
  p_throttle_seconds          integer,
  p_throttle_key              text
)
  returns tasker.task_creations
  language plpgsql
as $$
declare
  v_debounce tasker.task_debounces;
  v_creation tasker.task_creations;
begin
  perform tasker.check_creation_policy(
    p_identity_key, p_start_at, p_deferred, p_identity_ttl, p_identity_scope, p_debounce_seconds, p_debounce_longest_seconds,
    p_throttle_limit, p_throttle_seconds, p_throttle_key
  );
  if p_debounce_seconds is not null then
    perform tasker.check_given_name('initiator', p_initiator, null);
    v_debounce := tasker.supersede_debounced(p_namespace, p_name, p_identity_key, p_initiator);
  end if;

  v_creation := (tasker.make_tasks(
    p_namespace, p_name, array[p_context], p_version,
    case when p_identity_key is not null and p_debounce_seconds is null then array[p_identity_key] end,
    case when p_task_uuid is not null then array[p_task_uuid] end,
    p_priority, p_tags, p_initiator, p_source_system, p_reason, p_correlation_id, p_parent_correlation_id, p_headers,
    case
      when p_debounce_seconds is null then p_start_at
      else least(
        tasker.clock() + make_interval(secs => p_debounce_seconds),
        v_debounce.first_at + make_interval(secs => p_debounce_longest_seconds)
      )
    end,
    p_deferred, p_deadline, p_identity_ttl,
    -- A debounced request is no repeat of the one before: the key's row says which task is the last one.
    p_tick => case when p_debounce_seconds is not null then concat('debounce ', gen_random_uuid()) end,
    p_while_open => coalesce(p_identity_scope = 'open', false),
    p_creator_namespaces => tasker.bound_namespaces()
  ))[1];

  if p_debounce_seconds is not null then
    update tasker.task_debounces as d
       set task_uuid = v_creation.task_uuid,
           first_at  = v_debounce.first_at
     where d.key_hash = v_debounce.key_hash;
  end if;
  if p_throttle_limit is not null and v_creation.created then
    perform tasker.charge_throttle(p_namespace, p_name, coalesce(p_throttle_key, ''), p_throttle_limit, p_throttle_seconds, 1);
  end if;
  return v_creation;
end;
$$;

comment on function tasker.create_by_policy is
$$create_task for a request with a policy: an identity scope, a debounce, a throttle. The caller has checked that the role may work in the namespace.$$;
