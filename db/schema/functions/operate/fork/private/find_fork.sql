create or replace function tasker.find_fork(
  p_old        tasker.tasks,
  p_hash       bytea,
  p_from_step  text,
  p_version    text,
  p_cancel     boolean
)
  returns uuid
  language plpgsql
  stable
as $$
declare
  v_fork      tasker.tasks;
  v_version   text;
  v_old       text;
  v_cancelled boolean;
begin
  select t.*
    into v_fork
    from tasker.task_identities as i
    join tasker.tasks as t
      on t.task_uuid = i.task_uuid
   where i.identity_hash = p_hash;
  if not found then
    return null;
  end if;

  select k.version into v_version from tasker.named_tasks as k where k.named_task_uuid = v_fork.named_task_uuid;
  select k.version into v_old from tasker.named_tasks as k where k.named_task_uuid = p_old.named_task_uuid;
  v_cancelled := exists (
    select
      from tasker.task_transition_log as l
     where l.task_uuid = p_old.task_uuid
       and l.event = 'Cancel'
       and l.metadata ->> 'forked_to' = v_fork.task_uuid::text
  );
  if coalesce(p_version, v_old) <> v_version
     or not starts_with(v_fork.reason, format('fork of %s from step "%s"', p_old.task_uuid, p_from_step))
     -- A fork does not cancel a task that has already ended. A reset or a rerun of a step may have opened the task
     -- since then.
     or v_cancelled and p_cancel is not true
     or p_cancel and not v_cancelled and not p_old.complete and not exists (
       select
         from tasker.task_transition_log as l
        where l.task_uuid = p_old.task_uuid
          and l.event in ('Reset', 'Rerun')
          and l.created_at >= v_fork.requested_at
     ) then
    raise exception using
      errcode = 'TK409',
      message = format('the key belongs to another fork of task %s', p_old.task_uuid),
      detail  = format('Task %s of version %s: %s%s.', v_fork.task_uuid, v_version, v_fork.reason, case when v_cancelled then ', which cancelled the old task' else '' end),
      hint    = 'Use a new key for another fork.';
  end if;
  return v_fork.task_uuid;
end;
$$;

comment on function tasker.find_fork is
$$Returns the fork of a task that was created with a key. Returns null if there is no such fork. Raises TK409 if the
fork was made from another step, for another version, or with another value of p_cancel. The caller holds the task's
lock.$$;
