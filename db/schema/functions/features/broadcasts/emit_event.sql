create or replace function tasker.emit_event(
  p_namespace        text,
  p_name             text,
  p_key              text   default '',
  p_payload          jsonb  default '{}',
  p_idempotency_key  text   default null
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
  v_event tasker.emitted_events;
begin
  p_payload := coalesce(p_payload, '{}');
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_event(p_name, p_key, p_payload, p_idempotency_key);
  perform tasker.check_namespace_exists(p_namespace);

  loop
    insert into tasker.broadcasts (namespace, name, key, payload, idempotency_key, sent_by, sent_at, reacts)
    values (
      p_namespace, p_name, coalesce(p_key, ''), p_payload, p_idempotency_key, tasker.actor_name(null), tasker.write_clock(),
      exists (select from tasker.event_triggers as r where r.namespace = p_namespace and r.event = p_name)
    )
    on conflict (namespace, name, idempotency_key) do nothing
    returning event_uuid, false into v_event;
    exit when found;

    -- No row if retention has deleted the event in between. Then this event is the first again.
    select b.event_uuid, true
      into v_event
      from tasker.broadcasts as b
     where b.namespace = p_namespace
       and b.name = p_name
       and b.idempotency_key = p_idempotency_key;
    if found then
      return next v_event;
      return;
    end if;
  end loop;

  -- The waits are not read here, because a step may begin to wait in a transaction that this transaction
  -- cannot see.
  insert into tasker.timers (task_uuid, kind, due_at, namespace)
  values (v_event.event_uuid, 'deliver_event', tasker.clock(), p_namespace);
  perform tasker.notify_orchestrators();
  perform tasker.notify_steps_ready(p_namespace);
  return next v_event;
end;
$$;

comment on function tasker.emit_event is
$$Emits an event (a broadcast): every step of the namespace that waits for this name and key takes it, now or when it begins to wait and looks back far enough. Returns the event's UUID at once. Claims and orchestrators deliver it after this transaction has committed, in batches. It works at any isolation level, in the caller's own transaction: rolled back with it, the event was never sent.

A known idempotency key of the same namespace and name is answered with the first event, repeated, as long as that is kept. Without a key each call is another event. An event without a key (empty, the default) is for waits without one. Kept for the setting "event_hours".

Templates that name the event (start_on, cancel_on) start and cancel their tasks in this transaction; tasker.test_event() says which. Such an event locks the identities of the tasks that it starts, then the tasks that it cancels, and raises what cancel_task and create_task raise: then it is not emitted. Any other event inserts, and locks nothing; waits for a transaction that emits with the same idempotency key. Raises TK404 if there is no such namespace, TK413 if the payload is over the setting "event_bytes" or a key longer than 500 characters, TK422 if the name is malformed, the key a path such as $.order, or the payload null, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.emit_event
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator;
