create or replace function tasker.run_sql_claims(
  p_steps     tasker.claimed_steps[],
  p_alone     boolean,
  p_end       timestamptz,
  p_settings  tasker.settings_now,
  p_own       text[]
)
  returns tasker.sql_runs
  language plpgsql
as $$
declare
  -- A call that holds steps must not wait for a task. So lock the tasks first; an operator's call then waits for the end
  -- of this call.
  v_locked  uuid[] := tasker.lock_tasks(array(select s.task_uuid from unnest(p_steps) as s));
  v_done    tasker.sql_runs;
  v_step    tasker.claimed_steps;
  v_begun   timestamptz;
  v_result  jsonb;
  v_code    text;
  v_error   text;
  v_results tasker.step_results[] := '{}';
begin
  v_done.completed := 0;
  v_done.failed := 0;
  v_done.put_off := 0;
  foreach v_step in array p_steps loop
    v_begun := clock_timestamp();
    if p_alone or v_step.attempt > 1 or v_step.lost_count > 0 or v_step.timeout_seconds is not null
       or v_step.task_uuid <> all (v_locked) or v_begun > p_end then
      perform tasker.put_off_sql_step(v_step, 0);
      v_done.put_off := v_done.put_off + 1;
      continue;
    end if;
    v_code := null;
    begin
      v_result := tasker.call_sql_step(v_step, p_settings, p_own);
    exception
      when others or assert_failure then
        v_code := sqlstate;
        v_error := sqlerrm;
    end;
    if tasker.is_conflict(v_code, 0) then
      perform tasker.put_off_sql_step(v_step, 1);
      v_done.put_off := v_done.put_off + 1;
    else
      v_results := v_results || tasker.sql_result(v_step.step_uuid, v_step.claim_no, v_result, v_code, v_error, v_begun);
      v_done.completed := v_done.completed + (v_code is null)::integer;
      v_done.failed := v_done.failed + (v_code is not null)::integer;
    end if;
  end loop;

  if cardinality(v_results) > 0 and exists (
    select from unnest(tasker.record(v_results, p_settings)) as a where a.answer not in ('completed', 'failed', 'retrying')
  ) then
    raise exception using
      errcode = 'TK409',
      message = 'a function has changed the state of its own step',
      hint    = 'Its result cannot be recorded. Let the function return, or raise an error.';
  end if;
  return v_done;
end;
$$;

comment on function tasker.run_sql_claims is
$$Runs steps that the caller has just claimed, each in a subtransaction, and records all results together. Puts off the steps that must run alone: steps with a time-out, steps that were tried before, steps whose task another transaction holds, and with p_alone all steps. Also puts off the steps that have not begun at p_end, so that a slow function does not delay the results of the other steps.

Locks tasks, without waiting. Raises TK409 if a result is refused, which happens only if a function changes its own task. The writes of all functions are then rolled back.$$;
