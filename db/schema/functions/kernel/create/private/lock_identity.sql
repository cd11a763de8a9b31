create or replace function tasker.lock_identity(p_task_uuid uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_hash   bytea;
  v_holder xid;
begin
  select t.identity_hash into v_hash from tasker.tasks as t where t.task_uuid = p_task_uuid;
  if v_hash is not null then
    perform from tasker.task_identities as i where i.identity_hash = v_hash for no key update;
  end if;
exception
  when lock_not_available then
    select i.xmax into v_holder from tasker.task_identities as i where i.identity_hash = v_hash;
    raise exception using
      errcode = 'TK409',
      message = format('another session holds the identity of task %s', p_task_uuid),
      detail  = tasker.describe_lock_holder(v_holder, 'tasker.task_identities'::regclass),
      hint    = 'It creates or resets a task of the same identity. Try again. If its transaction does not end, end the process with pg_terminate_backend(pid).';
end;
$$;

comment on function tasker.lock_identity is
$$Locks the identity of a task, and waits for the lock. The caller then locks the task to open it again. Until the transaction ends, no other task can take the identity over. If the caller's lock_timeout passes, raises TK409 with the process that holds the identity.$$;
