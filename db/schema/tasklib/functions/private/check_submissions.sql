create or replace function tasklib.check_submissions(
  p_kwargs           jsonb[],
  p_delay_seconds    double precision[],
  p_priorities       integer[],
  p_max_retries      integer[],
  p_timeout_seconds  integer[],
  p_tags             jsonb[],
  p_dedup_keys       text[],
  p_limit_keys       text[]
)
  returns void
  language plpgsql
  stable
as $$
declare
  v_count    integer := cardinality(p_kwargs);
  v_bytes    integer;
  v_position bigint;
  v_kwargs   jsonb;
  v_problem  text;
begin
  if p_kwargs is null or v_count > 100000 or array_ndims(p_kwargs) > 1 then
    raise exception using
      errcode = 'TK422',
      message = format('%s tasks cannot be submitted in one call', coalesce(v_count::text, 'null')),
      hint    = 'One call takes a one-dimensional array of at most 100,000; make several calls, in one transaction.';
  end if;

  if v_count <> any (array[
    coalesce(cardinality(p_delay_seconds), v_count), coalesce(cardinality(p_priorities), v_count),
    coalesce(cardinality(p_max_retries), v_count), coalesce(cardinality(p_timeout_seconds), v_count),
    coalesce(cardinality(p_tags), v_count), coalesce(cardinality(p_dedup_keys), v_count),
    coalesce(cardinality(p_limit_keys), v_count)
  ]) then
    raise exception using
      errcode = 'TK422',
      message = 'the arrays of a submission have different lengths',
      detail  = format('There are arguments for %s tasks.', v_count),
      hint    = 'Each array needs a value for each task (null means the default), or must be null.';
  end if;

  v_bytes := tasklib.setting('kwargs_bytes')::integer;
  select u.position, u.kwargs, tasklib.submission_problem(u.kwargs, v_bytes, u.delay, u.max_retries, u.timeout, u.tags, u.dedup_key, u.limit_key)
    into v_position, v_kwargs, v_problem
    from unnest(p_kwargs, p_delay_seconds, p_max_retries, p_timeout_seconds, p_tags, p_dedup_keys, p_limit_keys)
         with ordinality as u (kwargs, delay, max_retries, timeout, tags, dedup_key, limit_key, position)
   where tasklib.submission_problem(u.kwargs, v_bytes, u.delay, u.max_retries, u.timeout, u.tags, u.dedup_key, u.limit_key) is not null
   limit 1;

  if not found then
    return;
  end if;
  if v_problem = 'its arguments are too large' then
    raise exception using
      errcode = 'TK413',
      message = format('task %s of the submission is refused: %s', v_position, v_problem),
      detail  = format('They have %s bytes; the limit is %s.', pg_column_size(v_kwargs), v_bytes),
      hint    = 'Store the data elsewhere and pass a reference, or raise the setting kwargs_bytes.';
  end if;
  raise exception using
    errcode = 'TK422',
    message = format('task %s of the submission is refused: %s', v_position, v_problem),
    detail  = format('Its arguments: %s', coalesce(left(v_kwargs::text, 200), 'null')),
    hint    = 'No task was submitted. Correct it and submit again.';
end;
$$;

comment on function tasklib.check_submissions is
$$Raises TK422 or TK413 if a submission is not valid. The message has the place of the first invalid submission in the arrays.$$;
