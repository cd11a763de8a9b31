create or replace function tasklib.submission_problem(
  p_kwargs           jsonb,
  p_kwargs_bytes     integer,
  p_delay_seconds    double precision,
  p_max_retries      integer,
  p_timeout_seconds  integer,
  p_tags             jsonb,
  p_dedup_key        text,
  p_limit_key        text
)
  returns text
  language sql
  stable
begin atomic
  select case
    when p_kwargs is null or jsonb_typeof(p_kwargs) <> 'object' then 'its arguments are not a JSON object'
    when pg_column_size(p_kwargs) > p_kwargs_bytes then 'its arguments are too large'
    when tasker.is_too_deep(p_kwargs) then 'its arguments are nested deeper than 1,000 levels'
    when not p_delay_seconds between 0 and 3153600000 then 'its delay is not between 0 seconds and 100 years'
    when not p_max_retries between 0 and 10000 then 'max_retries is not between 0 and 10000'
    when not p_timeout_seconds between 1 and 31536000 then 'its timeout is not between 1 second and a year'
    when jsonb_typeof(p_tags) <> 'object' then 'its tags are not a JSON object'
    when not length(p_limit_key) between 1 and 200 then 'its limit key is empty or longer than 200 characters'
    when not length(p_dedup_key) between 1 and 1000 then 'its deduplication key is empty or longer than 1,000 characters'
  end;
end;

comment on function tasklib.submission_problem is
$$Returns the problem of a submission, or null if the submission is valid. PostgreSQL inlines this function.$$;
