-- CompleteSteps records results. Use SqlFunctionExecutor's own CompleteSteps.
-- name: CompleteSteps :many
select * from tasker.complete_steps(
  @step_uuids::uuid[], @claim_nos::integer[], @results::jsonb[], @execution_times_ms::bigint[]
);

-- FailSteps records failures. Use SqlFunctionExecutor's own FailSteps. A backoff of -1 means that the handler asked
-- for no backoff.
-- name: FailSteps :many
select * from tasker.fail_steps(
  @step_uuids::uuid[], @claim_nos::integer[], @errors::text[], @permanent::boolean[],
  array_replace(@backoff_seconds::double precision[], -1, null), @execution_times_ms::bigint[]
);
