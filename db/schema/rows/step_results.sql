create table tasker.step_results (
  step_uuid          uuid     not null,
  claim_no           integer  not null,
  result             jsonb,
  error              text,
  permanent          boolean,
  backoff_seconds    integer,
  execution_time_ms  bigint,

  constraint step_results_row_type_check
    check (false) no inherit
);

comment on table tasker.step_results is
  'Row type: a result or a failure as a worker reports it. A result is a failure if it has an error.';

revoke all on table tasker.step_results from public;
