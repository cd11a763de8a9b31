create or replace function tasker.count_error_steps()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set jit = off
as $$
begin
  if tg_op <> 'DELETE' then
    insert into tasker.error_stands as o (fingerprint, named_task_uuid, failed, retrying)
    select r.fingerprint, r.named_task_uuid, count(*) filter (where r.stands = 'failed'), count(*) filter (where r.stands = 'retrying')
      from new_rows as r
     group by r.fingerprint, r.named_task_uuid
    on conflict (fingerprint, named_task_uuid) do update
       set failed   = o.failed + excluded.failed,
           retrying = o.retrying + excluded.retrying;
  end if;
  if tg_op <> 'INSERT' then
    update tasker.error_stands as o
       set failed   = o.failed - r.failed,
           retrying = o.retrying - r.retrying
      from (
        select
          r.fingerprint, r.named_task_uuid,
          count(*) filter (where r.stands = 'failed') as failed, count(*) filter (where r.stands = 'retrying') as retrying
        from old_rows as r
        group by r.fingerprint, r.named_task_uuid
      ) as r
     where o.fingerprint = r.fingerprint
       and o.named_task_uuid = r.named_task_uuid;
  end if;
  return null;
end;
$$;

comment on function tasker.count_error_steps is
$$Trigger function: updates the counts in tasker.error_stands after a statement on tasker.error_steps. Adds the rows
that the statement wrote, and subtracts the rows that it replaced or deleted.$$;
