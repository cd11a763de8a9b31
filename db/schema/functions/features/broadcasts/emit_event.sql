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

    -- Retention may have deleted the first event in between. Then no row is found, and the loop inserts this event.
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

  -- This call reads no waits, because it cannot see a step that begins to wait in another open transaction.
  insert into tasker.timers (task_uuid, kind, due_at, namespace)
  values (v_event.event_uuid, 'deliver_event', tasker.clock(), p_namespace);
  perform tasker.notify_orchestrators();
  perform tasker.notify_steps_ready(p_namespace);
  return next v_event;
end;
$$;

comment on function tasker.emit_event is
$$Emits an event (a broadcast). Every step of the namespace that waits for this name and key takes the event. A step that begins to wait later takes the event too, if its wait looks back far enough. Returns the event's UUID at once. Claims and orchestrators deliver it after this transaction has committed, in batches. The function works at any isolation level, in the caller's own transaction. If that transaction is rolled back, the event was never sent.

If an event of the same namespace and name with the same idempotency key is still kept, the call returns this first event, marked as repeated. Without an idempotency key each call emits another event. An event without a key (the default, the empty text) is for waits without a key. Events are kept for the setting "event_hours".

Templates that name the event (start_on, cancel_on) start and cancel their tasks in this transaction. tasker.test_event() returns these tasks. Such an event locks the identities of the tasks that it starts, then the tasks that it cancels, and raises the errors of cancel_task and create_task. After an error the event is not emitted. Any other event only inserts rows and locks nothing. The call waits for another transaction that emits with the same idempotency key. Raises TK404 if there is no such namespace, TK413 if the payload is larger than the setting "event_bytes" or a key is longer than 500 characters, TK422 if the name is malformed, the key is a path such as $.order, or the payload is null, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.emit_event
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator;
