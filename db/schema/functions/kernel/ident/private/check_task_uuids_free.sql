create or replace function tasker.check_task_uuids_free(p_task_uuids uuid[], p_named_task_uuid uuid, p_hashes bytea[])
  returns void
  language plpgsql
as $$
declare
  v_taken uuid;
begin
  -- A request with an existing UUID is a repeat if the task has the same template and no other identity.
  select u.task_uuid
    into v_taken
    from unnest(p_task_uuids, p_hashes) as u (task_uuid, identity_hash)
    join tasker.tasks as t
      on t.task_uuid = u.task_uuid
   where t.named_task_uuid <> p_named_task_uuid
      or t.identity_hash is distinct from u.identity_hash
   limit 1;

  if found then
    raise exception using
      errcode = 'TK409',
      message = format('task UUID %s is taken by another task', v_taken),
      hint    = 'Make a new UUID for each task, or omit it and the database makes one.';
  end if;
end;
$$;

comment on function tasker.check_task_uuids_free is
$$Raises TK409 if a task UUID that a caller has chosen belongs to a task of another template or identity.$$;
