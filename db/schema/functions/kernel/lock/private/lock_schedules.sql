create or replace function tasker.lock_schedules(p_task_uuids uuid[])
  returns uuid[]
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return array(
    select u.task_uuid
      from unnest(p_task_uuids) as u (task_uuid)
     cross join lateral (
       select count(*) as rows from tasker.timers as m where m.task_uuid = u.task_uuid
     ) as timers
     cross join lateral (
       select count(*) as rows
         from (select from tasker.timers as m where m.task_uuid = u.task_uuid for update skip locked) as m
     ) as locked_timers
     cross join lateral (
       select count(*) as rows from tasker.waiting_tasks as w where w.task_uuid = u.task_uuid
     ) as waiting
     cross join lateral (
       select count(*) as rows
         from (select from tasker.waiting_tasks as w where w.task_uuid = u.task_uuid for update skip locked) as w
     ) as locked_waiting
     where locked_timers.rows = timers.rows
       and locked_waiting.rows = waiting.rows
  );
end;
$$;

comment on function tasker.lock_schedules is
$$Locks the timers of tasks and their rows in waiting_tasks. Returns the tasks whose rows are all locked now. Never waits for a lock, because a claim that fires timers holds such rows, including those of busy tasks, until it commits. The caller holds the tasks' locks.$$;
