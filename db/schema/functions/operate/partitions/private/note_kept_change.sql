create or replace function tasker.note_kept_change()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- The transaction is part of the key, so that no transaction waits for another transaction here.
  insert into tasker.kept_changes (task_uuid)
  select case when tg_op = 'DELETE' then old.task_uuid else new.task_uuid end
   where exists (select from tasker.kept_moves)
  on conflict do nothing;
  return null;
end;
$$;

comment on function tasker.note_kept_change is
$$Trigger function for the partitions of a range that is being moved: records the changed task, so that the move copies
the task again.$$;
