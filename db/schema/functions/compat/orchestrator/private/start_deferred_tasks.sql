create or replace function tasker.start_deferred_tasks(p_limit integer, p_processor uuid)
  returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_locked uuid[];
begin
  perform tasker.release_discoveries();
  -- The subtransaction includes the locks, for the reason that tasker.fire_timers gives.
  begin
    v_locked := tasker.lock_schedules(tasker.find_deferred_tasks(p_limit));
    if cardinality(v_locked) > 0 then
      perform tasker.advance_tasks(v_locked, p_processor);
    end if;
    return cardinality(v_locked);
  exception when others then
    if v_locked is null or tasker.error_pause(sqlstate) is null then
      raise;
    end if;
  end;
  return tasker.start_one_by_one(v_locked, p_processor);
end;
$$;

comment on function tasker.start_deferred_tasks is
$$Starts at most p_limit tasks whose start was deferred, by computed priority, and returns how many it started. Skips tasks
that another session holds or has discovered. If a task fails, calls tasker.start_one_by_one, which starts each task in
its own subtransaction.$$;
