create or replace view tasker.step_results as
select
  '00000000-0000-0000-0000-000000000000'::uuid as step_uuid,
  0::integer as claim_no,
  null::jsonb as result,
  null::text as error,
  null::boolean as permanent,
  null::double precision as backoff_seconds,
  null::bigint as execution_time_ms
where false;

comment on view tasker.step_results is
  'Row type: a result as a worker reports it. A result that has an error is a failure.';
