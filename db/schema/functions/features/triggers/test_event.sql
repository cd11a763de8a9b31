create or replace function tasker.test_event(
  p_namespace  text,
  p_name       text,
  p_key        text   default null,
  p_payload    jsonb  default null
)
  returns setof tasker.event_effects
  language plpgsql
  stable
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
  v_effect tasker.event_effects;
begin
  p_key := coalesce(p_key, '');
  p_payload := coalesce(p_payload, '{}');
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_namespace_exists(p_namespace);
  perform tasker.check_text_size('name of an event', p_name, 128);
  perform tasker.check_text_size('key of an event', p_key, 500);
  perform tasker.check_depth('payload of an event', p_payload);
  for v_effect in select e.* from tasker.event_effects(p_namespace, p_name, p_key, p_payload) as e loop
    if v_effect.outcome = 'starts' then
      begin
        perform tasker.check_task_requests(
          tasker.find_template(p_namespace, v_effect.task_name, v_effect.version), p_namespace || '/' || v_effect.task_name,
          array[v_effect.context], case when v_effect.identity_key is not null then array[v_effect.identity_key] end, null
        );
      exception when others then
        v_effect.problem := left(sqlerrm, 1000);
      end;
    end if;
    return next v_effect;
  end loop;
end;
$$;

comment on function tasker.test_event is
$$Returns the effects that an event would have on tasks if it were emitted now, and changes nothing. Each start_on and cancel_on that names the event, in a template of the namespace, has a row with the context of the task that it would start, and the reason if the event would be refused. Steps that wait for the event are not included; list_waits() returns these steps.

Raises TK404 if there is no such namespace, TK413 for an argument that is too long, TK422 for a payload that is too deep, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.test_event
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
