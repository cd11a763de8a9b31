create or replace function tasker.recover_lost_steps(p_groups tasker.step_queue[], p_limit integer, p_processor uuid)
  returns integer
  language plpgsql
as $$
declare
  v_now      timestamptz := tasker.write_clock();
  v_settings tasker.settings_now;
  v_taken    tasker.step_queue[];
begin
  perform tasker.note_lease_clock();
  select c.* into v_settings from tasker.settings_now as c;
  -- The subtransaction includes the locks, as in tasker.fire_timers.
  begin
    v_taken := tasker.take_queue_rows(p_groups, p_limit, v_now + interval '1 second', false, v_settings);
    return tasker.recover_taken(v_taken, p_processor);
  exception when others then
    if coalesce(cardinality(v_taken), 0) = 0 or tasker.error_pause(sqlstate) is null then
      raise;
    end if;
  end;
  return tasker.recover_one_by_one(v_taken, p_processor);
end;
$$;

comment on function tasker.recover_lost_steps is
$$Takes lost steps of these groups from the queue and recovers them (tasker.recover_taken). Returns how many. If the recovery of a step raises an error, each step is recovered in its own subtransaction.

The function begins with the queue, the end of the lock order, so it skips rows that other transactions hold.$$;
