create or replace function tasker.notify_new_tasks(
  p_namespace   text,
  p_notify      text,
  p_state       tasker.task_state,
  p_task_uuids  uuid[],
  p_ready       boolean
)
  returns void
  language plpgsql
as $$
declare
  v_ready  boolean := p_ready;
  v_events boolean := true;
begin
  if p_notify = 'asleep' then
    -- The transaction has had its number since it wrote the tasks, and queries in a later snapshot, as in
    -- notify_steps_ready. While all clients are awake, one probe of the index is enough.
    perform
       from tasker.sleepers as z
      where z.channel = any (array['tasker_steps_ready.' || p_namespace, 'tasker_task_events'])
        and z.until > tasker.clock();
    if not found and current_setting('transaction_isolation') = 'read committed' then
      return;
    end if;
  end if;
  if p_notify = 'off' then
    return;
  elsif p_notify = 'asleep' and current_setting('transaction_isolation') = 'read committed' then
    select
      p_ready and exists (
        select
          from tasker.sleepers as z
         where z.channel = 'tasker_steps_ready.' || p_namespace
           and z.until > tasker.clock()
      ),
      exists (
        select
          from tasker.sleepers as z
         where z.channel = 'tasker_task_events'
           and z.until > tasker.clock()
      )
      into v_ready, v_events;
  end if;
  if v_ready then
    perform pg_notify('tasker_steps_ready.' || p_namespace, '');
  end if;
  if v_events then
    perform pg_notify('tasker_task_events', json_build_object(
        'task_uuid', u.task_uuid, 'namespace', p_namespace, 'from_state', null, 'to_state', p_state, 'event', 'Create'
      )::text)
       from unnest(p_task_uuids) as u (task_uuid);
  end if;
end;
$$;

comment on function tasker.notify_new_tasks is
$$Announces new tasks of a namespace. If p_ready is true, wakes the namespace's workers as tasker.notify_steps_ready does. Notifies the listeners of tasker_task_events of each task, with the event Create and the task's state. p_notify is the value of this column of tasker.creation_templates. Call this function in a statement of its own after the transaction's writes.$$;
