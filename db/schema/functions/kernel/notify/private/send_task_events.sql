create or replace function tasker.send_task_events(p_moves tasker.task_transition_log[])
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_default text := (select s.value from tasker.settings as s where s.name = 'notify');
  v_above   boolean := current_setting('transaction_isolation') <> 'read committed';
begin
  perform pg_notify(
    'tasker_task_events',
    json_build_object(
      'task_uuid', m.task_uuid,
      'namespace', n.name,
      'from_state', m.from_state,
      'to_state', m.to_state,
      'event', m.event
    )::text
  )
     from unnest(p_moves) as m
    cross join lateral (
      select n.name, coalesce(n.notify, v_default) as notify
        from tasker.tasks as t
        join tasker.named_tasks as k
          on k.named_task_uuid = t.named_task_uuid
        join tasker.task_namespaces as n
          on n.task_namespace_uuid = k.task_namespace_uuid
       where t.task_uuid = m.task_uuid
      offset 0
    ) as n
    where n.notify = 'always'
       or n.notify = 'asleep' and (v_above or exists (
         select
           from tasker.sleepers as z
          where z.channel = any (array['tasker_task_events', 'tasker_task_events.' || m.task_uuid])
            and z.until > tasker.clock()
       ));
end;
$$;

comment on function tasker.send_task_events is
$$Sends a notification for each of these transitions whose namespace always notifies, or whose task a sleeping client watches.$$;
