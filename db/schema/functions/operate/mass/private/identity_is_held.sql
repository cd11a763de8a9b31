create or replace function tasker.identity_is_held(p_task_uuid uuid)
  returns boolean
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_hash bytea := (select t.identity_hash from tasker.tasks as t where t.task_uuid = p_task_uuid);
begin
  if v_hash is null then
    return false;
  end if;
  perform
     from tasker.task_identities as i
    where i.identity_hash = v_hash
      for no key update skip locked;
  return not found and exists (select from tasker.task_identities as i where i.identity_hash = v_hash);
end;
$$;

comment on function tasker.identity_is_held is
$$Tries to lock the identity of a task, which the caller has locked. Returns true if another transaction holds the
identity. In this case a reset would wait for the identity while the caller holds tasks.$$;
