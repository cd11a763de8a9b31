create or replace function tasker.refuse_identity_delete()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if exists (select from tasker.tasks as t where t.task_uuid = old.task_uuid) then
    raise exception using
      errcode = 'TK403',
      message = 'the identity of a task is kept as long as the task',
      detail  = format('It leads to task %s.', old.task_uuid),
      hint    = 'tasker.gc_identities() deletes identities whose tasks retention has dropped.';
  end if;
  return old;
end;
$$;

comment on function tasker.refuse_identity_delete is
$$Trigger function: refuses to delete the identity of a task that exists, even for its owner and superusers. Raises TK403.$$;
