create or replace function tasklib.check_results(
  p_ids      uuid[],
  p_results  jsonb[]
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
  v_bytes  integer := tasklib.setting('result_bytes')::integer;
  v_id     uuid;
  v_result jsonb;
begin
  select u.id, u.result
    into v_id, v_result
    from unnest(p_ids, p_results) as u (id, result)
   where pg_column_size(u.result) > v_bytes
   limit 1;
  if found then
    raise exception using
      errcode = 'TK413',
      message = format('the result of task %s is too large', v_id),
      detail  = format('It has %s bytes; the limit is %s.', pg_column_size(v_result), v_bytes),
      hint    = 'Store the data elsewhere and return a reference, or raise the setting result_bytes.';
  end if;

  select u.id
    into v_id
    from unnest(p_ids, p_results) as u (id, result)
   where tasker.is_too_deep(u.result)
   limit 1;
  if found then
    raise exception using
      errcode = 'TK422',
      message = format('the result of task %s is nested deeper than 1,000 levels', v_id),
      hint    = 'Flatten it, or return it as a text.';
  end if;
end;
$$;

comment on function tasklib.check_results is
$$Raises TK413 if a result is larger than the setting result_bytes, TK422 if a result is nested deeper than 1,000 levels.$$;
