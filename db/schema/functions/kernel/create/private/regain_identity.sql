create or replace function tasker.regain_identity(p_task tasker.tasks)
  returns text
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_identity tasker.task_identities;
begin
  if p_task.identity_hash is null or p_task.complete and p_task.state not in ('complete', 'error') then
    return null;
  end if;
  -- Lock the identity of an open task, too, because tasker.requeue_dlq_entry locks it afterwards, and must not wait for
  -- it while it holds the lock of the task.
  select i.*
    into v_identity
    from tasker.task_identities as i
   where i.identity_hash = p_task.identity_hash
     for no key update skip locked;
  if not found then
    return case
      when exists (select from tasker.task_identities as i where i.identity_hash = p_task.identity_hash) then 'locked'
    end;
  elsif not p_task.complete or p_task.undo ? 'phase' then
    return null;
  end if;

  if v_identity.task_uuid <> p_task.task_uuid then
    -- The task of a later period may exist at the same time as this task.
    if not v_identity.while_open then
      return null;
    elsif exists (select from tasker.tasks as t where t.task_uuid = v_identity.task_uuid and not t.complete) then
      return v_identity.task_uuid::text;
    end if;
  end if;
  update tasker.task_identities as i
     set task_uuid = p_task.task_uuid,
         resets    = i.resets + 1
   where i.identity_hash = p_task.identity_hash;
  return null;
end;
$$;

comment on function tasker.regain_identity is
$$Assigns the identity of a failed or complete task to this task again, before the task is reset or one of its steps runs again, so that no request takes the identity over in the meantime. Returns null if the task may continue, "locked" if another transaction holds the identity, and otherwise the UUID of the open task that has the identity by the scope "open". The caller holds the task's lock. Locks the identity without waiting.$$;
