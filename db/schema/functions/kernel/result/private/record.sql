create or replace function tasker.record(p_results tasker.step_results[], p_settings tasker.settings_now)
  returns tasker.step_answers[]
  language plpgsql
  set lock_timeout = '2s'
as $$
begin
  if cardinality(p_results) = 1 then
    return array[tasker.record_result(p_results[1], p_settings)];
  end if;
  return tasker.record_results(p_results, p_settings, true);
exception
  -- Another transaction has locked one of these tasks. The other results must not wait for it.
  when lock_not_available then
    return tasker.record_results(p_results, p_settings, false);
end;
$$;

comment on function tasker.record is
$$Records results and advances their tasks. Returns one answer for each result, in order. Waits at most two seconds for a lock. After that it answers "busy" for the results whose task or step it cannot lock, and records all other results.$$;
