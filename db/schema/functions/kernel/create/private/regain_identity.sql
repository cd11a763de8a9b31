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
  -- The identity of an open task, too, because tasker.requeue_dlq_entry then locks it, and must not wait while it holds the task's
  -- lock.
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
    -- A later period may have a task of its own beside this one.
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
$$Lets the identity of a task that has failed or is complete lead to it again before it is reset or one of its steps runs again, so that no request takes the identity over meanwhile. Returns null if the task may go on, "locked" if another transaction holds the identity, and otherwise the UUID of the open task that has the identity by the scope "open". The caller holds the task's lock. Locks the identity, without waiting.$$;
