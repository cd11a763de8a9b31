create or replace function tasker.notify_stream(p_step_uuid uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- The write to the stream has given the transaction its number, and this statement has a later snapshot. A reader that
  -- falls asleep after that snapshot knows the number, and waits for this transaction to end.
  if current_setting('transaction_isolation') = 'read committed' and not exists (
       select
         from tasker.sleepers as z
        where z.channel = 'tasker_streams.' || p_step_uuid
          and z.until > tasker.clock()
     ) then
    return;
  end if;
  if coalesce(
       (
         select n.notify
           from tasker.tasks as t
           join tasker.named_tasks as k
             on k.named_task_uuid = t.named_task_uuid
           join tasker.task_namespaces as n
             on n.task_namespace_uuid = k.task_namespace_uuid
          where t.task_uuid = tasker.task_uuid_of(p_step_uuid)
       ),
       (select s.value from tasker.settings as s where s.name = 'notify')
     ) <> 'off' then
    perform pg_notify('tasker_streams', p_step_uuid::text);
  end if;
end;
$$;

comment on function tasker.notify_stream is
$$Notifies readers that sleep until a value or a stream of a step changes, on the channel tasker_streams. Does nothing if no reader sleeps, or if the namespace or the setting "notify" turns notifications off. Call the function in a statement of its own after the write.$$;
