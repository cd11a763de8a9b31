create or replace function tasker.react_to_event()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_effect tasker.event_effects;
begin
  for v_effect in
    select e.* from tasker.event_effects(new.namespace, new.name, new.key, new.payload) as e where e.outcome in ('starts', 'cancels')
  loop
    if v_effect.action = 'cancel' then
      perform tasker.cancel_by_event(v_effect.task_uuid, new);
    else
      perform tasker.start_by_event(v_effect, new);
    end if;
  end loop;
  return null;
end;
$$;

comment on function tasker.react_to_event is
$$Trigger function of tasker.broadcasts: an event that templates name starts and cancels their tasks in the transaction that emits it. Locks the identities of the tasks that it starts, then the tasks that it cancels, in the order of their UUIDs. Raises the errors of cancel_task and create_task. After an error the event is not emitted.$$;
