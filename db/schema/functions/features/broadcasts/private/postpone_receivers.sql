create or replace function tasker.postpone_receivers(
  p_event_uuid  uuid,
  p_task_uuids  uuid[],
  p_step_nos    integer[],
  p_locked      uuid[],
  p_due_at      timestamptz
)
  returns void
  language plpgsql
as $$
begin
  if exists (select from unnest(p_task_uuids) as u (task_uuid) where u.task_uuid <> all (p_locked)) then
    insert into tasker.broadcast_retries (event_uuid, task_uuid, step_no, due_at)
    select distinct p_event_uuid, u.task_uuid, u.step_no, p_due_at
      from unnest(p_task_uuids, p_step_nos) as u (task_uuid, step_no)
     where u.task_uuid <> all (p_locked)
    on conflict (event_uuid, task_uuid, step_no) do update
       set due_at = excluded.due_at;
  end if;
end;
$$;

comment on function tasker.postpone_receivers is
$$Writes that the delivery of an event to these steps is tried again at p_due_at, except for steps of the tasks in p_locked.$$;
