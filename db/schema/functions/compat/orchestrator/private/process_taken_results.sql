create or replace function tasker.process_taken_results(p_taken tasker.step_queue[], p_settings tasker.settings_now, p_processor uuid)
  returns integer
  language plpgsql
as $$
declare
  -- lock_tasks skips tasks that other transactions hold. The queue rows of these tasks are visible again in a second.
  v_moves tasker.step_moves[] := tasker.deferred_moves(
    p_taken, tasker.lock_tasks(array(select q.task_uuid from unnest(p_taken) as q)), p_settings
  );
begin
  if cardinality(v_moves) = 0 then
    return 0;
  end if;
  return cardinality(tasker.apply_moves(
    v_moves, tasker.task_facts(array(select m.task_uuid from unnest(v_moves) as m)), p_processor
  ));
end;
$$;

comment on function tasker.process_taken_results is
$$Processes the recorded results of queue rows that the caller has taken, and returns how many it processed. Skips results
of tasks that other transactions hold.$$;
