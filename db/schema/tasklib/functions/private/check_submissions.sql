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
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
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
  select u.position, u.kwargs, case
           when u.kwargs is null or jsonb_typeof(u.kwargs) <> 'object' then 'its arguments are not a JSON object'
           when pg_column_size(u.kwargs) > v_bytes then 'its arguments are too large'
           when not u.delay between 0 and 3153600000 then 'its delay is not between 0 seconds and 100 years'
           when not u.max_retries between 0 and 10000 then 'max_retries is not between 0 and 10000'
           when not u.timeout between 1 and 31536000 then 'its timeout is not between 1 second and a year'
           when jsonb_typeof(u.tags) <> 'object' then 'its tags are not a JSON object'
           when not length(u.limit_key) between 1 and 200 then 'its limit key is empty or longer than 200 characters'
           else 'its deduplication key is empty or longer than 1,000 characters'
         end
    into v_position, v_kwargs, v_problem
    from unnest(p_kwargs, p_delay_seconds, p_max_retries, p_timeout_seconds, p_tags, p_dedup_keys, p_limit_keys)
         with ordinality as u (kwargs, delay, max_retries, timeout, tags, dedup_key, limit_key, position)
   where u.kwargs is null
      or jsonb_typeof(u.kwargs) <> 'object'
      or pg_column_size(u.kwargs) > v_bytes
      or not u.delay between 0 and 3153600000
      or not u.max_retries between 0 and 10000
      or not u.timeout between 1 and 31536000
      or jsonb_typeof(u.tags) <> 'object'
      or not length(u.dedup_key) between 1 and 1000
      or not length(u.limit_key) between 1 and 200
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

comment on function tasklib.check_submissions(jsonb[], double precision[], integer[], integer[], integer[], jsonb[], text[], text[]) is
$$Raises TK422 or TK413 for the first invalid submission, with its place in the arrays.$$;

revoke all on function tasklib.check_submissions(jsonb[], double precision[], integer[], integer[], integer[], jsonb[], text[], text[]) from public;
