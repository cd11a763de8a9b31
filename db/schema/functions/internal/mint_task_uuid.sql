create or replace function tasker.mint_task_uuid()
  returns uuid
  language sql
  volatile
begin atomic
  select (tasker.mint_task_uuids(1))[1];
end;

comment on function tasker.mint_task_uuid() is
$$One UUID for a new task, as mint_task_uuids makes them.$$;

revoke all on function tasker.mint_task_uuid() from public;
