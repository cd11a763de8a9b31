create or replace function tasker.check_step_results(
  p_steps               integer,
  p_results             jsonb[],
  p_errors              text[],
  p_permanent           boolean[],
  p_backoff_seconds     double precision[],
  p_execution_times_ms  bigint[]
)
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_problem text;
begin
  -- A nested "if" is needed, because PostgreSQL runs a condition that contains a query as a query, even after "false
  -- and".
  v_problem := case
    when cardinality(p_results) <> p_steps then format('%s results', cardinality(p_results))
    when cardinality(p_errors) <> p_steps then format('%s errors', cardinality(p_errors))
    when cardinality(p_permanent) <> p_steps then format('%s marks of permanence', cardinality(p_permanent))
    when cardinality(p_backoff_seconds) <> p_steps then format('%s backoffs', cardinality(p_backoff_seconds))
    when cardinality(p_execution_times_ms) <> p_steps then format('%s execution times', cardinality(p_execution_times_ms))
  end;
  if v_problem is not null then
    raise exception using
      errcode = 'TK422',
      message = format('%s do not match %s steps', v_problem, p_steps),
      hint    = 'Each array is null or has one element for each step.';
  end if;

  -- All errors together are seldom longer than a single error may be.
  if length(array_to_string(p_errors, '')) > 65536 then
    if exists (select from unnest(p_errors) as u (error) where length(u.error) > 65536) then
      raise exception using
        errcode = 'TK413',
        message = 'an error is longer than 65,536 characters',
        hint    = 'Describe the failure in a few lines, and store the rest elsewhere.';
    end if;
  end if;
  if 0 > any (p_backoff_seconds) or 31536000 < any (p_backoff_seconds) then
    raise exception using
      errcode = 'TK422',
      message = 'a backoff is below 0 seconds or above a year',
      hint    = 'A backoff is from 0 to 31536000 seconds; null means the policy.';
  end if;
  if 0 > any (p_execution_times_ms) then
    raise exception using
      errcode = 'TK422',
      message = 'an execution time is below 0',
      hint    = 'Execution times are milliseconds; null means unknown.';
  end if;
end;
$$;

comment on function tasker.check_step_results is
$$Raises TK422 if an array is not null and does not have an element for each step, or if a number is out of range.$$;
