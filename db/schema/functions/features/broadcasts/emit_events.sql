create or replace function tasker.emit_events(
  p_namespace         text,
  p_names             text[],
  p_keys              text[]   default null,
  p_payloads          jsonb[]  default null,
  p_idempotency_keys  text[]   default null
)
  returns setof tasker.emitted_events
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
  v_now   timestamptz;
  v_uuids uuid[];
  v_found uuid[];
  v_more  uuid[];
  v_new   uuid[] := '{}';
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_events(p_names, p_keys, p_payloads, p_idempotency_keys);
  perform tasker.check_namespace_exists(p_namespace);
  v_now := tasker.write_clock();
  v_uuids := array(select tasker.uuid_generate_v7() from generate_series(1, cardinality(p_names)));

  loop
    v_found := v_uuids;
    -- In the order of the idempotency keys, so that two calls cannot deadlock. The first of equal events is emitted.
    with new as (
      insert into tasker.broadcasts (event_uuid, namespace, name, key, payload, idempotency_key, sent_by, sent_at, reacts)
      select
        u.event_uuid, p_namespace, u.name, coalesce(u.key, ''), coalesce(u.payload, '{}'), u.idempotency_key,
        tasker.actor_name(null), v_now, r.reacts
      from unnest(v_uuids, p_names, p_keys, p_payloads, p_idempotency_keys)
        with ordinality as u (event_uuid, name, key, payload, idempotency_key, ord)
      cross join lateral (
        select exists (select from tasker.event_triggers as r where r.namespace = p_namespace and r.event = u.name) as reacts
      ) as r
      where u.event_uuid <> all (v_new)
      order by r.reacts desc, u.name, u.idempotency_key, u.ord
      on conflict (namespace, name, idempotency_key) do nothing
      returning event_uuid
    )
    select array_agg(n.event_uuid) into v_more from new as n;
    v_new := v_new || v_more;
    exit when cardinality(v_new) = cardinality(v_uuids);

    -- No row if retention has deleted the event in between. Then this event is the first again.
    v_found := array(
      select coalesce(
        (select b.event_uuid from tasker.broadcasts as b where b.event_uuid = u.event_uuid),
        (
          select b.event_uuid
            from tasker.broadcasts as b
           where b.namespace = p_namespace
             and b.name = u.name
             and b.idempotency_key between u.idempotency_key and u.idempotency_key
           order by b.idempotency_key -- takes the unique index, also without statistics
           limit 1
        )
      )
      from unnest(v_uuids, p_names, p_idempotency_keys) with ordinality as u (event_uuid, name, idempotency_key, ord)
      order by u.ord
    );
    exit when array_position(v_found, null) is null;
  end loop;

  if v_new <> '{}' then
    -- The waits are not read here, because a step may begin to wait in a transaction that this transaction
    -- cannot see.
    insert into tasker.timers (task_uuid, kind, due_at, namespace)
    select n.event_uuid, 'deliver_event', tasker.clock(), p_namespace
      from unnest(v_new) as n (event_uuid);
    perform tasker.notify_orchestrators();
    perform tasker.notify_steps_ready(p_namespace);
  end if;
  return query select u.event_uuid, u.event_uuid <> u.own_uuid from unnest(v_found, v_uuids) as u (event_uuid, own_uuid);
end;
$$;

comment on function tasker.emit_events is
$$Emits events of one namespace, all or none, in a few statements, and returns a row for each in order, as emit_event does. Null keys and payloads mean the defaults. Of equal events in one call the first is emitted, and the others are repeated.

The events are delivered in their order. Templates that name the events (start_on, cancel_on) react to all events at once: no event of the call cancels a task that another event of the call starts. Inserts in the order of names and idempotency keys, then locks the identities of all tasks that start, by hash, then the tasks that are cancelled, in the order of their UUIDs. Raises the errors of emit_event, and TK422 if the arrays do not have the same length, and TK413 if they have more than 10,000 events.$$;

grant execute on function tasker.emit_events
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator;
