create or replace function tasker.step_results(
  p_step_uuids          uuid[],
  p_claim_nos           integer[],
  p_results             jsonb[],
  p_errors              text[],
  p_permanent           boolean[],
  p_backoff_seconds     double precision[],
  p_execution_times_ms  bigint[]
)
  returns tasker.step_results[]
  language plpgsql
  immutable
as $$
declare
  v_steps integer := coalesce(cardinality(p_step_uuids), 0);
begin
  -- One expression checks a call with one result. The search for the invalid array, which follows, costs more.
  if v_steps = 1 then
    if '[1:1]' = all (array[
         array_dims(p_step_uuids), array_dims(p_claim_nos), coalesce(array_dims(p_results), '[1:1]'),
         coalesce(array_dims(p_errors), '[1:1]'), coalesce(array_dims(p_permanent), '[1:1]'),
         coalesce(array_dims(p_backoff_seconds), '[1:1]'), coalesce(array_dims(p_execution_times_ms), '[1:1]')
       ])
       and num_nulls(p_step_uuids[1], p_claim_nos[1]) = 0
       and coalesce(length(p_errors[1]), 0) <= 65536
       and coalesce(p_backoff_seconds[1], 0) between 0 and 31536000
       and coalesce(p_execution_times_ms[1], 0) between 0 and 999999999 then
      return array[(
        p_step_uuids[1], p_claim_nos[1], p_results[1], p_errors[1], p_permanent[1], p_backoff_seconds[1], p_execution_times_ms[1]
      )::tasker.step_results];
    end if;
  elsif v_steps = 0 and coalesce(greatest(
    cardinality(p_claim_nos), cardinality(p_results), cardinality(p_errors), cardinality(p_permanent),
    cardinality(p_backoff_seconds), cardinality(p_execution_times_ms)
  ), 0) = 0 then
    return '{}';
  end if;

  perform tasker.check_step_claims(p_step_uuids, p_claim_nos);
  perform tasker.check_step_results(v_steps, p_results, p_errors, p_permanent, p_backoff_seconds, p_execution_times_ms);
  return array(
    -- A time has at most nine digits (11 days), as in direct calls. So sums of times do not overflow, and no result is
    -- refused because of its time.
    select (
        u.step_uuid, u.claim_no, u.result, u.error, u.permanent, u.backoff_seconds,
        case when u.execution_time_ms > 999999999 then 999999999 else u.execution_time_ms end
      )::tasker.step_results
      from unnest(
        p_step_uuids, p_claim_nos, p_results, p_errors, p_permanent, p_backoff_seconds, p_execution_times_ms
      ) as u (step_uuid, claim_no, result, error, permanent, backoff_seconds, execution_time_ms)
  );
end;
$$;

comment on function tasker.step_results is
$$Combines a call's arrays into results. An execution time of more than nine digits becomes the largest number of nine digits. Raises TK422 if the arrays do not match or have invalid elements, TK413 for more than 10,000 results.$$;
