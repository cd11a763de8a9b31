create or replace function tasker.insert_triggers(p_named_task_uuid uuid, p_template jsonb)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  insert into tasker.event_triggers (named_task_uuid, trigger_no, action, namespace, event, event_key, condition, context, identity)
  select
    p_named_task_uuid, row_number() over (order by x.action, t.no), x.action, p_template ->> 'namespace', t.value ->> 'event',
    t.value ->> 'key', t.value ->> 'when', t.value -> 'context', t.value ->> 'identity'
  from (values ('start', p_template -> 'start_on'), ('cancel', p_template -> 'cancel_on')) as x (action, list)
  cross join jsonb_array_elements(x.list) with ordinality as t (value, no);
end;
$$;

comment on function tasker.insert_triggers is
$$Inserts the events that start and cancel tasks of a new version of a template. p_template is in normal form.$$;
