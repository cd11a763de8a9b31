create or replace function tasker.normalize_retry(p_retry jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select jsonb_build_object(
    'retryable', coalesce((p_retry ->> 'retryable')::boolean, true),
    'max_attempts', (p_retry ->> 'max_attempts')::numeric::integer,
    'backoff', coalesce(p_retry ->> 'backoff', 'exponential'),
    'base_seconds', trim_scale((p_retry ->> 'base_seconds')::numeric),
    'multiplier', trim_scale((p_retry ->> 'multiplier')::numeric),
    'max_seconds', (p_retry ->> 'max_seconds')::numeric::integer
  );
end;

comment on function tasker.normalize_retry is
$$Returns a valid retry policy in normal form, with null for each value that is taken from settings.$$;
