create or replace function tasker.mint_task_uuid()
  returns uuid
  language sql
  volatile
begin atomic
  select (
    tasker.mint_task_uuids(
      1,
      (select r.ends_at
         from tasker.partition_ranges as r
        where r.starts_at <= tasker.clock()
        order by r.starts_at desc
        limit 1)
    )
  )[1];
end;

comment on function tasker.mint_task_uuid is
$$Returns one UUID for a new task, as mint_task_uuids does for many tasks.$$;
