create or replace function tasker.failure_metadata(p_error text, p_backoff_seconds double precision, p_permanent boolean)
  returns jsonb
  language sql
  stable
  parallel safe
begin atomic
  select case when p_error is not null then jsonb_strip_nulls(jsonb_build_object(
    'error', p_error, 'backoff_seconds', p_backoff_seconds, 'permanent', nullif(p_permanent, false)
  )) end;
end;

comment on function tasker.failure_metadata is
$$Returns the metadata of a failure for the log, or null for a result without an error.$$;
