create or replace function tasker.advance_waiting_tasks(p_deferred boolean, p_limit integer, p_processor uuid default null)
  returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_locked uuid[];
begin
  -- Every claim runs this: the query costs a third of the call.
  if exists (select from tasker.waiting_tasks as w where w.discovered_until <= tasker.clock()) then
    perform tasker.release_discoveries();
  end if;
  -- With the locks, as in tasker.fire_timers.
  begin
    v_locked := tasker.lock_schedules(tasker.find_waiting_tasks(p_deferred, p_limit));
    if cardinality(v_locked) > 0 then
      perform tasker.advance_tasks(v_locked, p_processor);
    end if;
    return cardinality(v_locked);
  exception when others then
    if v_locked is null or tasker.error_pause(sqlstate) is null then
      raise;
    end if;
  end;
  return tasker.advance_one_by_one(v_locked, p_processor);
end;
$$;

comment on function tasker.advance_waiting_tasks is
$$Starts tasks whose start was deferred and advances tasks that a direct call has touched, by computed priority. Returns how many. Skips those that another session holds or has discovered. If one fails, each is advanced by itself (tasker.advance_one_by_one).$$;
