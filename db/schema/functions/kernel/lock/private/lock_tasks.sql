create or replace function tasker.lock_tasks(p_task_uuids uuid[])
  returns uuid[]
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_tasks  uuid[] := array(select distinct u.task_uuid from unnest(p_task_uuids) as u (task_uuid) order by u.task_uuid);
  v_locked uuid[];
begin
  -- Tasks and steps are always locked "for no key update", which is the lock of an update.
  select coalesce(array_agg(t.task_uuid), '{}')
    into v_locked
    from unnest(v_tasks) as u (task_uuid)
   cross join lateral (
     select t.task_uuid
       from tasker.tasks as t
      where t.task_uuid = u.task_uuid
        and t.task_uuid between v_tasks[1] and v_tasks[cardinality(v_tasks)]
        for no key update skip locked
   ) as t;
  return tasker.lock_schedules(v_locked);
end;
$$;

comment on function tasker.lock_tasks is
$$Locks the tasks that exist and that no other transaction holds, in the order of their UUIDs. Returns the locked tasks.

A call that holds a step, a queue row or a timer must not wait for a task, nor later for the task's timers. So a task also counts as held if another transaction holds its timers or its row in waiting_tasks. The caller must read the tasks in a new statement, because a statement's snapshot is older than its locks. tasker.task_facts waits for the locks instead.$$;
