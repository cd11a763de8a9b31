create or replace function tasker.notify_cancelled(p_namespace text, p_task_uuid uuid, p_step_nos integer[])
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- The worker is awake, so notify even if no worker sleeps.
  if coalesce(
       (select n.notify from tasker.task_namespaces as n where n.name = p_namespace),
       (select s.value from tasker.settings as s where s.name = 'notify')
     ) = 'off' then
    return;
  end if;
  perform pg_notify('tasker_cancelled', w.worker_uuid::text)
    from (
      select distinct s.worker_uuid
        from tasker.workflow_steps as s
       where s.task_uuid = p_task_uuid
         and s.step_no = any (p_step_nos)
         and s.worker_uuid is not null
    ) as w;
end;
$$;

comment on function tasker.notify_cancelled is
$$Notifies the workers of running steps, on channel tasker_cancelled, that their handlers should stop. The payload is the worker's UUID. The worker then renews its leases, and the answers name the steps whose handlers should stop. If notifications are off for the namespace or by the setting "notify", the worker stops these handlers after its next regular renewal.$$;
