create or replace function tasker.lock_undiscovered_tasks(p_task_uuids uuid[])
  returns uuid[]
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_locked uuid[];
begin
  select array_agg(l.task_uuid)
    into v_locked
    from (
      select t.task_uuid
        from unnest(p_task_uuids) as u (task_uuid)
        join tasker.tasks as t
          on t.task_uuid = u.task_uuid
       where not t.complete
         and (t.discovered_until is null or t.discovered_until <= tasker.clock())
         for no key update of t skip locked
    ) as l;
  return coalesce(v_locked, '{}');
end;
$$;

comment on function tasker.lock_undiscovered_tasks is
$$Locks those of the tasks that are open and undiscovered, and returns them. Skips locked ones.$$;
