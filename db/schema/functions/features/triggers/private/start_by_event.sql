create or replace function tasker.start_by_event(p_effect tasker.event_effects, p_event tasker.broadcasts)
  returns void
  language plpgsql
as $$
declare
  v_request tasker.task_requests;
begin
  v_request.namespace := p_event.namespace;
  v_request.name := p_effect.task_name;
  v_request.version := p_effect.version;
  v_request.contexts := array[p_effect.context];
  v_request.identity_keys := case when p_effect.identity_key is not null then array[p_effect.identity_key] end;
  v_request.source_system := 'event';
  v_request.reason := format('event "%s"', p_event.name);
  v_request.headers := jsonb_build_object('event', p_event.name, 'event_uuid', p_event.event_uuid);
  begin
    perform tasker.make_task(v_request);
  exception when sqlstate 'TK409' then
    -- Another transaction has started the task of this key meanwhile, with another context.
    if not exists (
      select
        from tasker.event_effects(p_event.namespace, p_event.name, p_event.key, p_event.payload) as e
       where e.action = 'start'
         and e.task_name = p_effect.task_name
         and e.identity_key = p_effect.identity_key
         and e.outcome = 'exists'
         -- A task with this context would have been found, so the conflict has another cause.
         and exists (select from tasker.tasks as t where t.task_uuid = e.task_uuid and t.context <> p_effect.context)
    ) then
      raise;
    end if;
  end;
end;
$$;

comment on function tasker.start_by_event is
$$Creates the task of an event, or finds the task that has its identity key. Locks the identity. Raises the errors of create_task.$$;
