create or replace function tasker.start_one_by_one(p_task_uuids uuid[], p_processor uuid)
  returns integer
  language plpgsql
as $$
declare
  v_task  uuid;
  v_pause interval;
  v_count integer := 0;
begin
  -- PostgreSQL caches at most 64 subtransactions of a session, so start at most 60 tasks. All other tasks still wait.
  foreach v_task in array p_task_uuids[:60] loop
    begin
      if tasker.lock_tasks(array[v_task]) <> '{}' then
        perform from tasker.waiting_tasks as w where w.task_uuid = v_task;
        if found then
          perform tasker.advance_tasks(array[v_task], p_processor);
          v_count := v_count + 1;
        end if;
      end if;
    exception when others then
      if tasker.error_pause(sqlstate) is null then
        raise;
      end if;
      v_pause := tasker.warn_of_failure(format('the start of task %s', v_task), sqlstate, sqlerrm);
      if tasker.lock_tasks(array[v_task]) <> '{}' then
        perform tasker.put_tasks_aside(array[v_task], tasker.clock() + v_pause);
      end if;
    end;
  end loop;
  return v_count;
end;
$$;

comment on function tasker.start_one_by_one is
$$Starts at most 60 deferred tasks, each in its own subtransaction, and returns how many it started. The function
tasker.start_deferred_tasks calls it after an error of one task has rolled back all tasks. Postpones tasks that fail.
Locks each task again, without waiting.$$;
